import type { Member } from '../domain/member.ts';
import type { PlaceFacts, PlaceRef } from '../domain/place.ts';
import type { RequestBudget } from '../engine/ports.ts';
import { listedMember } from './listed-member.ts';
import { PAGE_LIMIT, type MessageRange } from './message-pages.ts';
import type { PlaceList } from './place-polls.ts';
import { pollFailure } from './poll-failure.ts';
import type { MessagePage, PollingClient, PollOptions } from './polling-client.ts';

/** The requests of polls in our words; the budget learns from every answer. They reject with `PlatformError`. */
export interface PollRequests {
  readList(list: PlaceList): Promise<readonly PlaceFacts[]>;
  readMembers(place: PlaceRef): Promise<readonly Member[]>;
  readMessages(roomId: string, range: MessageRange): Promise<MessagePage>;
}

export function createPollRequests(of: {
  readonly client: PollingClient;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  readonly streamUriPattern?: RegExp | undefined;
}): PollRequests {
  const { client, budget } = of;
  const options: PollOptions = { signal: of.signal, retry: 'never' };

  const ask = async <T>(request: Promise<T>): Promise<T> => {
    try {
      const answer = await request;
      budget.report('ok');
      return answer;
    } catch (error) {
      if (pollFailure(error) === 'limited') budget.report('limited');
      throw error;
    }
  };

  return {
    async readList(list) {
      if (list.kind === 'channel') {
        const { channels } = await ask(client.listChannels({}, options));
        return channels.map(({ channelId: id, alias, name }) => ({ kind: 'channel', id, alias, name }));
      }
      const { rooms } = await ask(client.listRooms({ type: list.type }, options));
      return rooms.map(({ roomId: id, alias, name, type }) => ({ kind: 'room', id, alias, name, type }));
    },

    async readMembers({ kind, id }) {
      const { members } = await ask(
        kind === 'room'
          ? client.listRoomMembers({ roomId: id }, options)
          : client.listChannelMembers({ channelId: id }, options),
      );
      return members.map((member) => listedMember(member, of.streamUriPattern));
    },

    readMessages: (roomId, { after, before }) =>
      ask(
        client.listMessages(
          {
            roomId,
            limit: PAGE_LIMIT,
            ...(after === undefined ? {} : { afterMessageId: after }),
            ...(before === undefined ? {} : { beforeMessageId: before }),
          },
          options,
        ),
      ),
  };
}
