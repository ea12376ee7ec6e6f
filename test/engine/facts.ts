/** Events as ingress would build them, with the least words. Times are ms after `START`. */
import { withId } from '../../src/domain/event-id.ts';
import type {
  MemberJoined,
  MessagePosted,
  RoomOpened,
  StreamEnded,
  StreamStarted,
  UsherEvent,
} from '../../src/domain/event.ts';
import { memberKey, type Member } from '../../src/domain/member.ts';
import type { PlaceRef } from '../../src/domain/place.ts';
import { START } from './virtual-clock.ts';

export const room = (id = 'r1'): PlaceRef => ({ kind: 'room', id });
export const ROOM = room();

const when = (at: number, source: UsherEvent['source'] = 'webhook') => ({
  at: START + at,
  seenAt: START + at,
  source,
});

export const opened = (place = ROOM, alias = `alias-${place.id}`): RoomOpened =>
  withId<RoomOpened>({
    type: 'room.opened',
    ...when(0, 'poll'),
    place,
    facts: { ...place, alias, name: alias, type: 'MultiPartyChat' },
  });

export const member = (sessionId: string, more: Partial<Member> = {}): Member => ({
  sessionId,
  screenName: sessionId,
  role: 'Participant',
  state: 'Active',
  streams: [],
  lastUpdate: START,
  ...more,
});

export const joined = (who: string | Member, at = 0, more: Partial<MemberJoined> = {}): MemberJoined =>
  withId<MemberJoined>({
    type: 'member.joined',
    ...when(at, 'poll'),
    place: ROOM,
    member: typeof who === 'string' ? member(who, { lastUpdate: START + at }) : who,
    ...more,
  });

export const says = (
  sessionId: string,
  text: string,
  at = 0,
  more: Partial<MessagePosted> = {},
): MessagePosted =>
  withId<MessagePosted>({
    type: 'message.posted',
    ...when(at, 'poll'),
    place: ROOM,
    messageId: `m-${sessionId}-${at}-${text}`,
    author: {
      key: memberKey({ sessionId, screenName: sessionId }),
      sessionId,
      screenName: sessionId,
      standing: 'claimed',
      claimedRole: 'Participant',
    },
    text,
    mimeType: 'text/plain',
    tags: [],
    ...more,
  });

export const publishes = (
  sessionId: string,
  streamId: string,
  at = 0,
  more: Partial<StreamStarted> = {},
): StreamStarted =>
  withId<StreamStarted>({
    type: 'stream.started',
    ...when(at),
    streamId,
    sessionId,
    tags: [`roomId:${ROOM.id}`],
    ...more,
  });

export const ends = (streamId: string, at = 0, more: Partial<StreamEnded> = {}): StreamEnded =>
  withId<StreamEnded>({
    type: 'stream.ended',
    ...when(at),
    streamId,
    tags: [`roomId:${ROOM.id}`],
    durationMs: 1_000,
    reason: 'ended',
    ...more,
  });
