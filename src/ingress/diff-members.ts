import type {
  Change,
  EventSource,
  MemberChanged,
  MemberJoined,
  MemberLeft,
  TrackChanged,
} from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { Member, MemberStream } from '../domain/member.ts';
import type { PlaceRef } from '../domain/place.ts';

export type MemberEvent = MemberJoined | MemberLeft | MemberChanged | TrackChanged;

/** A member list and what it is compared with. */
export interface MemberComparison {
  readonly place: PlaceRef;
  readonly known: ReadonlyMap<string, Member>;
  readonly listed: readonly Member[];
  /** When the poll was sent, ms since 1970: what we learnt later it cannot deny. */
  readonly requestedAt: number;
  readonly seenAt: (sessionId: string) => number | undefined;
  readonly now: number;
  readonly source: EventSource;
}

/**
 * What happened between the known members and a list of them, so that applying the events to the known gives the list.
 * The platform's `lastUpdate` makes each event's id; where it did not move although something did, the time of the
 * poll takes its place, because two different facts must not share an id.
 */
export function diffMembers(comparison: MemberComparison): MemberEvent[] {
  const { place, known, listed, requestedAt, seenAt, now, source } = comparison;
  const base = { seenAt: now, source, place };
  const events: MemberEvent[] = [];
  const present = new Set<string>();

  for (const member of listed) {
    if (present.has(member.sessionId)) continue;
    present.add(member.sessionId);
    const before = known.get(member.sessionId);
    if (!before) {
      events.push(withId<MemberJoined>({ type: 'member.joined', at: member.lastUpdate, ...base, member }));
      continue;
    }
    const stamped = member.lastUpdate > before.lastUpdate ? member : { ...member, lastUpdate: requestedAt };
    const about = { ...base, at: stamped.lastUpdate, member: stamped };
    const changes = changesOf(before, member);
    if (Object.keys(changes).length > 0) {
      events.push(withId<MemberChanged>({ type: 'member.changed', ...about, changes }));
    }
    for (const { streamId, ...tracks } of trackChanges(before.streams, member.streams)) {
      events.push(withId<TrackChanged>({ type: 'track.changed', ...about, streamId, ...tracks }));
    }
  }

  for (const [sessionId, member] of known) {
    if (present.has(sessionId) || (seenAt(sessionId) ?? 0) >= requestedAt) continue;
    events.push(withId<MemberLeft>({ type: 'member.left', at: now, ...base, member }));
  }
  return events;
}

const change = <T>(from: T, to: T): Change<T> => ({ from, to });

function changesOf(before: Member, after: Member): MemberChanged['changes'] {
  const [from, to] = [streamIds(before), streamIds(after)];
  return {
    ...(before.role === after.role ? {} : { role: change(before.role, after.role) }),
    ...(before.state === after.state ? {} : { state: change(before.state, after.state) }),
    ...(before.screenName === after.screenName
      ? {}
      : { screenName: change(before.screenName, after.screenName) }),
    ...(from.join('\n') === to.join('\n') ? {} : { streams: change(from, to) }),
  };
}

/** Sorted: the order in a list means nothing. */
const streamIds = (member: Member): readonly string[] =>
  member.streams.map(({ streamId }) => streamId).toSorted();

function trackChanges(before: readonly MemberStream[], after: readonly MemberStream[]) {
  return after.flatMap((stream) => {
    const was = before.find(({ streamId }) => streamId === stream.streamId);
    if (!was || (was.audio === stream.audio && was.video === stream.video)) return [];
    return [
      {
        streamId: stream.streamId,
        ...(was.audio === stream.audio ? {} : { audio: change(was.audio, stream.audio) }),
        ...(was.video === stream.video ? {} : { video: change(was.video, stream.video) }),
      },
    ];
  });
}
