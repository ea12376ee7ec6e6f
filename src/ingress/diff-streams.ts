import type { EventSource, StreamEnded, StreamStarted } from '../domain/event.ts';
import { eventId, withId } from '../domain/event-id.ts';
import type { Member } from '../domain/member.ts';
import type { PlaceFacts } from '../domain/place.ts';
import type { LiveStream } from '../domain/place-view.ts';

/** A stream whose start or end a poll showed and no notification has told of yet. */
export interface StreamSuspicion {
  readonly what: 'started' | 'ended';
  /** When the first poll that showed it was sent, ms since 1970. */
  readonly since: number;
  readonly sessionId?: string;
  readonly tags: readonly string[];
  /** Its event was made: it is kept only so as not to be made again. */
  readonly told: boolean;
}

export interface StreamComparison {
  readonly place: PlaceFacts;
  readonly live: ReadonlyMap<string, LiveStream>;
  readonly members: readonly Member[];
  readonly suspicions: ReadonlyMap<string, StreamSuspicion>;
  readonly requestedAt: number;
  readonly seenAt: (streamId: string) => number | undefined;
  readonly now: number;
  readonly source: EventSource;
  /** How long notifications are given to tell it first: they know tags, duration and reason, a poll does not. */
  readonly headStartMs: number;
}

export interface StreamDifference {
  readonly events: readonly (StreamStarted | StreamEnded)[];
  readonly suspicions: ReadonlyMap<string, StreamSuspicion>;
}

/**
 * Streams that started or ended by the word of the member list. Two polls a head start apart must agree, even when the
 * member is gone from the list: the id of a stream's start or end can be journaled once only, so that neither a poll
 * without tags may be quicker than its notification, nor a list that lacked a member for a moment end a live stream.
 * Only reconciliation tells of starts at once: no notification is under way for what happened while we were away.
 */
export function diffStreams(comparison: StreamComparison): StreamDifference {
  const { place, live, suspicions, requestedAt, seenAt, now, source, headStartMs } = comparison;
  const events: (StreamStarted | StreamEnded)[] = [];
  const next = new Map<string, StreamSuspicion>();
  const publishers = new Map(
    comparison.members.flatMap((member) => member.streams.map(({ streamId }) => [streamId, member] as const)),
  );

  const ripe = ({ since, told }: StreamSuspicion) => !told && requestedAt - since >= headStartMs;

  for (const [streamId, member] of publishers) {
    if (live.get(streamId)?.startedBy === startOf(streamId)) continue;
    const suspicion = suspected(suspicions, streamId, 'started') ?? {
      what: 'started',
      since: requestedAt,
      sessionId: member.sessionId,
      tags: placeTags(place),
      told: false,
    };
    const tell = ripe(suspicion) || (source === 'reconcile' && !suspicion.told);
    next.set(streamId, { ...suspicion, told: suspicion.told || tell });
    if (!tell) continue;
    events.push(
      withId<StreamStarted>({
        type: 'stream.started',
        at: Math.min(now, source === 'reconcile' ? member.lastUpdate : suspicion.since),
        seenAt: now,
        source,
        place: refOf(place),
        streamId,
        sessionId: member.sessionId,
        tags: suspicion.tags,
      }),
    );
  }

  const gone = new Set([...live.keys(), ...suspicions.keys()].filter((id) => !publishers.has(id)));
  for (const streamId of gone) {
    const stream = live.get(streamId);
    const before = suspected(suspicions, streamId, 'ended');
    if (!before && (!stream || (seenAt(streamId) ?? 0) >= requestedAt)) continue;
    const suspicion: StreamSuspicion = before ?? {
      what: 'ended',
      since: requestedAt,
      ...(stream?.sessionId === undefined ? {} : { sessionId: stream.sessionId }),
      tags: stream?.tags ?? [],
      told: false,
    };
    const tell = ripe(suspicion);
    if (stream || !(suspicion.told || tell)) {
      next.set(streamId, { ...suspicion, told: suspicion.told || tell });
    }
    if (!tell) continue;
    const { sessionId } = suspicion;
    events.push(
      withId<StreamEnded>({
        type: 'stream.ended',
        at: suspicion.since,
        seenAt: now,
        source,
        place: refOf(place),
        streamId,
        ...(sessionId === undefined ? {} : { sessionId }),
        tags: suspicion.tags,
        durationMs: null,
        reason: null,
      }),
    );
  }
  return { events, suspicions: next };
}

const refOf = ({ kind, id }: PlaceFacts) => ({ kind, id });

/** The tags that the platform itself puts on what is published there; the publisher's own a list does not show. */
const placeTags = ({ kind, id, alias }: PlaceFacts): readonly string[] => [
  `${kind}Id:${id}`,
  ...(alias === '' ? [] : [`${kind}Alias:${alias}`]),
];

const startOf = (streamId: string): string =>
  eventId({ type: 'stream.started', at: 0, seenAt: 0, source: 'poll', streamId, tags: [] });

const suspected = (
  suspicions: ReadonlyMap<string, StreamSuspicion>,
  streamId: string,
  what: StreamSuspicion['what'],
): StreamSuspicion | undefined => {
  const found = suspicions.get(streamId);
  return found?.what === what ? found : undefined;
};
