import type { ActionDraft } from '../../src/domain/action.ts';
import { eventId } from '../../src/domain/event-id.ts';
import type { EventOf, EventType, UsherEvent } from '../../src/domain/event.ts';
import { memberKey } from '../../src/domain/member.ts';
import type { Author, Member, Role } from '../../src/domain/member.ts';
import type { Memory, Plain } from '../../src/domain/memory.ts';
import type { LiveStream, OwnedResource, PlaceView, Publisher } from '../../src/domain/place-view.ts';
import type { PlaceFacts, PlaceRef } from '../../src/domain/place.ts';
import type { BoundRule } from '../../src/plugin/bot.ts';
import type { DesiredResource } from '../../src/plugin/definitions.ts';

export const ROOM: PlaceRef = { kind: 'room', id: 'r#1' };
export const T0 = 1_700_000_000_000;

export const member = (screenName: string, more: Partial<Member> = {}): Member => ({
  sessionId: `s-${screenName}`,
  screenName,
  role: 'Participant',
  state: 'Active',
  streams: [],
  lastUpdate: T0,
  ...more,
});

/** A live stream of the member of that name, `startedAt` seconds after the beginning. */
export const stream = (of: string, startedAt: number, more: Partial<LiveStream> = {}): LiveStream => ({
  streamId: `${of}-${startedAt}`,
  sessionId: `s-${of}`,
  tags: [],
  type: 'User',
  startedAt: T0 + startedAt * 1_000,
  audio: 'TrackEnabled',
  video: 'TrackEnabled',
  startedBy: `stream.started ${of}-${startedAt}`,
  ...more,
});

/** A room as the engine would show it, made by hand. */
export function roomWith(
  of: Partial<PlaceFacts> & {
    readonly members?: readonly Member[];
    readonly streams?: readonly LiveStream[];
    readonly points?: number;
    readonly resources?: readonly OwnedResource[];
  } = {},
): PlaceView {
  const { members = [], streams = [], points = 0, resources = [], ...facts } = of;
  const bySession = new Map(members.map((one) => [one.sessionId, one]));
  const publishers = (): readonly Publisher[] => {
    const sessions = [...new Set(streams.map(({ sessionId }) => sessionId ?? ''))];
    return sessions
      .map((sessionId) => {
        const own = streams.filter((one) => one.sessionId === sessionId);
        const { screenName = sessionId, role } = bySession.get(sessionId) ?? {};
        const since = Math.min(...own.map(({ startedAt }) => startedAt));
        return {
          key: memberKey({ sessionId, screenName }),
          sessionId,
          screenName,
          since,
          streams: own,
          ...(role && { role }),
        };
      })
      .sort((a, b) => a.since - b.since);
  };
  return {
    ...ROOM,
    alias: 'lobby',
    name: 'The lobby',
    type: 'MultiPartyChat',
    ...facts,
    known: true,
    members: bySession,
    member: (key) => members.find((one) => memberKey(one) === key),
    streams: new Map(streams.map((one) => [one.streamId, one])),
    publishers,
    messages: [],
    strikes: () => points,
    muted: () => false,
    resources: new Map(resources.map((one) => [one.key, one])),
    resolve: (author) => {
      const found = author.sessionId === undefined ? undefined : bySession.get(author.sessionId);
      return found?.screenName === author.screenName
        ? { ...author, standing: 'verified', role: found.role }
        : author;
    },
  };
}

/** An event with its id; `at` in seconds after the beginning. */
export function event<T extends EventType>(
  type: T,
  fields: Omit<EventOf<T>, 'type' | 'id' | 'at' | 'seenAt' | 'source'> & { readonly at?: number },
): EventOf<T> {
  const at = T0 + (fields.at ?? 0) * 1_000;
  const bare = { place: ROOM, ...fields, type, at, seenAt: at, source: 'poll' };
  return { ...bare, id: eventId(bare as unknown as UsherEvent) } as unknown as EventOf<T>; // the fields are T's own
}

let serial = 0;
export function says(
  screenName: string,
  text: string,
  more: {
    readonly at?: number;
    readonly role?: Role;
    readonly own?: boolean;
    readonly tags?: readonly string[];
  } = {},
): EventOf<'message.posted'> {
  const sessionId = `s-${screenName}`;
  const author: Author = {
    key: memberKey({ sessionId, screenName }),
    sessionId,
    screenName,
    standing: 'claimed',
    claimedRole: more.role ?? 'Participant',
  };
  const { at, own, tags = [] } = more;
  return event('message.posted', {
    place: ROOM,
    messageId: `m${(serial += 1)}`,
    author,
    text,
    tags,
    mimeType: 'text/plain',
    ...(at !== undefined && { at }),
    ...(own !== undefined && { own }),
  });
}

export const publishes = (
  screenName: string,
  more: Partial<EventOf<'stream.started'>> & { readonly at?: number } = {},
): EventOf<'stream.started'> =>
  event('stream.started', { streamId: `${screenName}-0`, sessionId: `s-${screenName}`, tags: [], ...more });

/** Plain data under keys; `forMs` is looked at by nobody here. */
export function memory(): Memory & { readonly entries: Map<string, Plain> } {
  const entries = new Map<string, Plain>();
  return {
    entries,
    get: (key) => entries.get(key),
    set: (key, value) => void entries.set(key, structuredClone(value)),
    delete: (key) => void entries.delete(key),
  };
}

/** What a rule does about events in order; its memory goes on from one to the next. */
export function run(
  rule: BoundRule,
  events: readonly UsherEvent[],
  room: PlaceView = roomWith(),
  remember: Memory = memory(),
): readonly (readonly ActionDraft[])[] {
  const { definition } = rule;
  if (definition.kind !== 'rule') throw new Error('no edge rule');
  return events.map((one) => {
    if (!definition.hears.includes(one.type)) return [];
    return definition.decide?.(one, { options: rule.options, room, remember, now: one.at }) ?? [];
  });
}

/** What a rule does about one event. */
export const acts = (rule: BoundRule, one: UsherEvent, room?: PlaceView): readonly ActionDraft[] =>
  run(rule, [one], room)[0] ?? [];

/** What a keeper wants of a room. */
export function wants(rule: BoundRule, room: PlaceView): readonly DesiredResource[] {
  if (rule.definition.kind !== 'keeper') throw new Error('no keeper');
  return rule.definition.desired(room, rule.options);
}
