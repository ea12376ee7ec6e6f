import type { StreamEnded, StreamStarted } from '../domain/event.ts';
import { UNCHANGED, type Folded } from './folded.ts';
import type { LaneState } from './lane-state.ts';
import { resourceByStart } from './resource-by-start.ts';

/** How long the end of a stream is remembered at least: the platform's notifications are retried for less. */
const TOMBSTONE_MS = 24 * 3_600_000;

/** A stream of a member is live, unless its end was seen before. The first telling of it stands. */
export function foldStreamStarted(state: LaneState, event: StreamStarted): Folded {
  const { streamId } = event;
  if (state.tombstones.has(streamId)) return UNCHANGED;
  const known = state.streams.get(streamId);
  const sessionId = event.sessionId ?? known?.sessionId;
  const shown =
    sessionId === undefined
      ? undefined
      : state.members.get(sessionId)?.streams.find((stream) => stream.streamId === streamId);
  state.streams.set(streamId, {
    streamId,
    ...(sessionId !== undefined && { sessionId }),
    tags: event.tags.length > 0 ? event.tags : (known?.tags ?? []),
    type: known?.type ?? shown?.type ?? 'User',
    startedAt: known ? Math.min(known.startedAt, event.at) : event.at,
    audio: known?.audio ?? shown?.audio ?? 'TrackEnabled',
    video: known?.video ?? shown?.video ?? 'TrackEnabled',
    startedBy: known?.startedBy ?? event.id,
    seenAt: event.seenAt,
  });
  state.mediaChanged();
  return { changed: true, touched: [streamId] };
}

/** A composition of ours is on the air: the resource that waited for it has its id. */
export function foldOwnStream(state: LaneState, event: StreamStarted): Folded {
  if (event.causedBy === undefined || state.tombstones.has(event.streamId)) return UNCHANGED;
  const found = resourceByStart(state, event.causedBy);
  if (found?.kind === 'composition' && found.phase === 'starting') {
    state.resources.set(found.part, {
      ...found.record,
      phase: 'running',
      platformId: event.streamId,
    });
    return { changed: true, touched: [] };
  }
  const stray = state.strays.get(event.causedBy);
  if (!stray) return UNCHANGED;
  state.strays.delete(event.causedBy);
  const { bot, rule, key, kind, spec } = stray;
  // A second one of what is there already gets a name of its own, which nobody wishes for: it will be stopped.
  const part = state.resources.has(stray.resource)
    ? `${stray.resource} stray ${event.causedBy}`
    : stray.resource;
  state.resources.set(part, {
    bot,
    rule,
    key: part === stray.resource ? key : `${key} stray ${event.causedBy}`,
    kind,
    spec,
    shadow: false,
    phase: 'running',
    platformId: event.streamId,
    startedBy: event.causedBy,
  });
  return { changed: true, touched: [] };
}

/** A stream is over: a tombstone remains, and what lived from the stream is gone with it. */
export function foldStreamEnded(state: LaneState, event: StreamEnded): Folded {
  const { streamId } = event;
  const before = state.tombstones.get(streamId);
  state.tombstones.set(streamId, {
    durationMs: before?.durationMs ?? event.durationMs,
    reason: before?.reason ?? event.reason,
    seenAt: before?.seenAt ?? event.seenAt,
    until: Math.max(event.at, event.seenAt) + TOMBSTONE_MS,
  });
  state.doomed.delete(streamId);
  const had = state.streams.delete(streamId);
  if (had) state.mediaChanged();
  let owned = false;
  for (const [part, resource] of state.resources) {
    if (resource.platformId !== streamId && resource.origin !== streamId) continue;
    state.resources.delete(part);
    owned = true;
  }
  return { changed: had || owned, touched: [] };
}
