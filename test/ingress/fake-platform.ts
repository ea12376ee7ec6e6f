import type { Clock } from '../../src/engine/ports.ts';
import type { PollingClient, PollOptions } from '../../src/ingress/polling-client.ts';
import { NotFoundError, type PlatformMember, type Message } from '../../src/platform/index.ts';

type RoomType = Parameters<PollingClient['listRooms']>[0]['type'];

interface Room {
  readonly roomId: string;
  readonly alias: string;
  readonly name: string;
  readonly type: RoomType;
  members: PlatformMember[];
  messages: Message[];
}

/** The part of the platform that polls see, in memory; every answer takes `latencyMs` of the given clock. */
export interface FakePlatform {
  readonly client: PollingClient;
  readonly rooms: Map<string, Room>;
  readonly channels: Map<string, { readonly channelId: string; members: PlatformMember[] }>;
  /** `listMessages room-1 after=…` and the like, in order. */
  readonly requests: string[];
  latencyMs: number;
  /** How long this one takes, where it takes longer than the others. */
  hangsMs: (request: string) => number;
  /** Thrown instead of an answer, while it gives an error. */
  fault: (request: string) => Error | undefined;
  /** Rooms that lists leave out although they are there. */
  readonly hidden: Set<string>;
  /** Which end of a range a full page shows. */
  pageEnd: 'oldest' | 'newest';
  openRoom(id: string, type?: RoomType): Room;
  say(roomId: string, text: string, more?: Partial<Message>): Message;
  join(roomId: string, sessionId: string, more?: Partial<PlatformMember>): PlatformMember;
  change(roomId: string, sessionId: string, more: Partial<PlatformMember>): void;
}

export const notFound = (): Error =>
  new NotFoundError({ operation: 'listRoomMembers', httpStatus: 404, outcome: 'refused', attempts: 1 });

export const streamAt = (streamId: string, more: Partial<PlatformMember['streams'][number]> = {}) => ({
  type: 'User' as const,
  uri: `pcast://host.example/${streamId}?streamToken=DIGEST`,
  audioState: 'TrackEnabled' as const,
  videoState: 'TrackEnabled' as const,
  ...more,
});

export function fakePlatform(clock: Clock): FakePlatform {
  let messages = 0;
  const answer = async <T>(request: string, { signal }: PollOptions, make: () => T): Promise<T> => {
    platform.requests.push(request);
    const latencyMs = platform.hangsMs(request) || platform.latencyMs;
    if (latencyMs > 0) {
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => reject(new Error('aborted'));
        signal.addEventListener('abort', giveUp, { once: true });
        clock.after(latencyMs, () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        });
      });
    }
    const fault = platform.fault(request);
    if (fault) throw fault;
    return structuredClone(make());
  };
  const room = (id: string): Room => {
    const found = platform.rooms.get(id);
    if (!found) throw notFound();
    return found;
  };
  const platform: FakePlatform = {
    rooms: new Map(),
    channels: new Map(),
    requests: [],
    latencyMs: 0,
    hangsMs: () => 0,
    fault: () => undefined,
    hidden: new Set(),
    pageEnd: 'oldest',
    openRoom(id, type = 'MultiPartyChat') {
      const opened: Room = { roomId: id, alias: `the-${id}`, name: id, type, members: [], messages: [] };
      platform.rooms.set(id, opened);
      return opened;
    },
    say(roomId, text, more = {}) {
      messages += 1;
      const said: Message = {
        messageId: `us#1|${roomId}|${String(messages).padStart(8, '0')}`,
        timestamp: clock.now(),
        deletedTimestamp: 0,
        from: { sessionId: 's1', screenName: 'Ann', role: 'Moderator', lastUpdate: clock.now() },
        mimeType: 'text/plain',
        message: text,
        tags: [],
        ...more,
      };
      room(roomId).messages.push(said);
      return said;
    },
    join(roomId, sessionId, more = {}) {
      const joined: PlatformMember = {
        sessionId,
        screenName: sessionId,
        role: 'Participant',
        state: 'Active',
        streams: [],
        lastUpdate: clock.now(),
        ...more,
      };
      room(roomId).members.push(joined);
      return joined;
    },
    change(roomId, sessionId, more) {
      const place = room(roomId);
      place.members = place.members.map((member) =>
        member.sessionId === sessionId ? { ...member, lastUpdate: clock.now(), ...more } : member,
      );
    },
    client: {
      listRooms: ({ type }, options) =>
        answer(`listRooms ${type}`, options, () => ({
          rooms: [...platform.rooms.values()]
            .filter((each) => each.type === type && !platform.hidden.has(each.roomId))
            .map(({ members: _members, messages: _messages, ...facts }) => facts),
        })),
      listChannels: (_, options) =>
        answer('listChannels', options, () => ({
          channels: [...platform.channels.keys()].map((channelId) => ({
            channelId,
            alias: '',
            name: channelId,
          })),
        })),
      listRoomMembers: ({ roomId }, options) =>
        answer(`listRoomMembers ${roomId}`, options, () => ({ members: room(roomId).members })),
      listChannelMembers: ({ channelId }, options) =>
        answer(`listChannelMembers ${channelId}`, options, () => {
          const channel = platform.channels.get(channelId);
          if (!channel) throw notFound();
          return { members: channel.members };
        }),
      listMessages: ({ roomId, limit, afterMessageId: after, beforeMessageId: before }, options) =>
        answer(
          `listMessages ${roomId}${after === undefined ? '' : ` after=${after}`}${before === undefined ? '' : ` before=${before}`}`,
          options,
          () => {
            const all = room(roomId).messages;
            const range = all.filter(
              ({ messageId }) =>
                (after === undefined || messageId > after) && (before === undefined || messageId < before),
            );
            const oldest = after !== undefined && platform.pageEnd === 'oldest';
            const page = oldest ? range.slice(0, limit) : range.slice(-limit);
            const [first, last] = [page[0]?.messageId, page.at(-1)?.messageId];
            return {
              messages: page,
              hasMoreBefore: all.some(
                ({ messageId }) => messageId < (first ?? after ?? '') || messageId === after,
              ),
              hasMoreAfter: last !== undefined && all.some(({ messageId }) => messageId > last),
            };
          },
        ),
    },
  };
  return platform;
}
