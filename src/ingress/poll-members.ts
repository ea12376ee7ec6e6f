import type { EventId } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { MemberJoined } from '../domain/event.ts';
import type { Member } from '../domain/member.ts';
import type { Clock, Intake, PlaceDirectory } from '../engine/ports.ts';
import type { LiveStream } from '../domain/place-view.ts';
import { diffMembers, type MemberEvent } from './diff-members.ts';
import { diffStreams } from './diff-streams.ts';
import type { PolledPlace } from './polled-place.ts';

export interface MemberPollParts {
  readonly fetch: () => Promise<readonly Member[]>;
  readonly intake: Intake;
  readonly directory: Pick<PlaceDirectory, 'view' | 'seenAt'>;
  readonly clock: Clock;
  readonly headStartMs: number;
  /** A stream's start or end that nobody had told of before. */
  readonly foundStream: (id: EventId) => void;
}

const NO_MEMBERS: ReadonlyMap<string, Member> = new Map();
const NO_STREAMS: ReadonlyMap<string, LiveStream> = new Map();

/**
 * Compares a member list with the projection and tells the difference. Resolves with the number of new events and
 * with when a second poll is to settle what this one only suspects, ms since 1970.
 */
export async function pollMembers(
  place: PolledPlace,
  parts: MemberPollParts,
): Promise<{ readonly found: number; readonly againAt: number | undefined }> {
  const { intake, directory, clock, headStartMs } = parts;
  const requestedAt = clock.now();
  const listed = await parts.fetch();
  const now = clock.now();
  const source = place.membersSource;
  const view = directory.view(place.ref);
  const common = { requestedAt, now, source, seenAt: (id: string) => directory.seenAt(place.ref, id) };

  const members = diffMembers({
    ...common,
    place: place.ref,
    known: view?.members ?? NO_MEMBERS,
    listed,
  }).map((event) => freshJoin(event, place.rejoining, requestedAt));
  const streams = diffStreams({
    ...common,
    place,
    live: view?.streams ?? NO_STREAMS,
    members: listed,
    suspicions: place.suspicions,
    headStartMs,
  });

  const events = [...members, ...streams.events];
  const fates = events.length === 0 ? [] : await intake.accept(events);
  const isNew = (index: number) => fates[index] === 'new';
  streams.events.forEach((event, index) => {
    if (source === 'poll' && isNew(members.length + index)) parts.foundStream(event.id);
  });
  place.suspicions = streams.suspicions;
  place.rejoining = new Set(
    members.flatMap((event, index) =>
      event.type === 'member.joined' && !isNew(index) ? [event.member.sessionId] : [],
    ),
  );
  place.membersSource = 'poll';

  const open = [...streams.suspicions.values()].filter(({ told }) => !told);
  return {
    found: fates.filter((fate) => fate === 'new').length,
    againAt: open.length === 0 ? undefined : Math.min(...open.map(({ since }) => since)) + headStartMs,
  };
}

/**
 * A member whose joining is in the journal already and who is still unknown after the next poll was taken for gone, and
 * `lastUpdate` has not moved since: it joined again, by the time of this poll.
 */
const freshJoin = (event: MemberEvent, rejoining: ReadonlySet<string>, requestedAt: number): MemberEvent =>
  event.type === 'member.joined' && rejoining.has(event.member.sessionId)
    ? withId<MemberJoined>({
        ...event,
        at: requestedAt,
        member: { ...event.member, lastUpdate: requestedAt },
      })
    : event;
