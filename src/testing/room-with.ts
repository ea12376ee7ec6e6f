import { memberKey, type Author, type Member, type MemberKey } from '../domain/member.ts';
import type { PlaceKind, RoomType } from '../domain/place.ts';
import type { LiveStream, OwnedResource, PlaceView, Publisher, RecentMessage } from '../domain/place-view.ts';
import { sessionOf } from './cast.ts';

/** What a room of a test is to hold; everything may be left out. */
export interface RoomContents {
  readonly kind?: PlaceKind;
  readonly id?: string;
  readonly alias?: string;
  readonly name?: string;
  readonly type?: RoomType;
  readonly members?: readonly Member[];
  readonly streams?: readonly LiveStream[];
  readonly messages?: readonly RecentMessage[];
  readonly resources?: readonly OwnedResource[];
  /** Points by ladder and screen name. */
  readonly strikes?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Screen names. */
  readonly muted?: readonly string[];
}

/**
 * A room as rules see it, that holds what is given and nothing else.
 *
 * ```ts
 * roomWith({ members: [member('ann', { role: 'Moderator' })], streams: [stream('ann')] })
 * ```
 */
export function roomWith(contents: RoomContents = {}): PlaceView {
  const members = new Map((contents.members ?? []).map((one) => [one.sessionId, one]));
  const streams = new Map((contents.streams ?? []).map((one) => [one.streamId, one]));
  const kind = contents.kind ?? 'room';
  const isNamed = (name: string, key: MemberKey): boolean =>
    key === `session:${sessionOf(name)}` || key === memberKey({ screenName: name });
  const view: PlaceView = {
    kind,
    id: contents.id ?? `${kind}-1`,
    alias: contents.alias ?? 'lobby',
    name: contents.name ?? 'Lobby',
    ...(kind === 'room' && { type: contents.type ?? 'MultiPartyChat' }),
    known: true,
    members,
    streams,
    messages: contents.messages ?? [],
    resources: new Map((contents.resources ?? []).map((one) => [`${one.rule}/${one.key}`, one])),
    member: (key) =>
      [...members.values()].find((one) => memberKey(one) === key || isNamed(one.screenName, key)),
    publishers: () => publishersOf(streams, members),
    strikes: (ladder, key) =>
      Object.entries(contents.strikes?.[ladder] ?? {}).find(([name]) => isNamed(name, key))?.[1] ?? 0,
    muted: (key) => (contents.muted ?? []).some((name) => isNamed(name, key)),
    resolve: (author) => resolve(author, members),
  };
  return Object.freeze(view);
}

function publishersOf(
  streams: ReadonlyMap<string, LiveStream>,
  members: ReadonlyMap<string, Member>,
): readonly Publisher[] {
  const bySession = new Map<string, LiveStream[]>();
  for (const one of streams.values()) {
    const session = one.sessionId ?? one.streamId;
    bySession.set(session, [...(bySession.get(session) ?? []), one]);
  }
  return [...bySession]
    .map(([sessionId, own]): Publisher => {
      const member = members.get(sessionId);
      const oldestFirst = own.sort((a, b) => a.startedAt - b.startedAt);
      return {
        key: `session:${sessionId}`,
        sessionId,
        screenName: member?.screenName ?? '',
        ...(member && { role: member.role }),
        since: oldestFirst[0]?.startedAt ?? 0,
        streams: oldestFirst,
      };
    })
    .sort((a, b) => a.since - b.since);
}

function resolve(author: Author, members: ReadonlyMap<string, Member>): Author {
  const member = author.sessionId === undefined ? undefined : members.get(author.sessionId);
  if (member?.screenName === author.screenName) return { ...author, standing: 'verified', role: member.role };
  const { role: _role, ...rest } = author;
  return { ...rest, standing: author.sessionId === undefined ? 'anonymous' : 'claimed' };
}
