import type { StreamEnded, StreamStarted } from '../domain/event.ts';
import { bury } from './bury.ts';
import { UNCHANGED, type Folded } from './folded.ts';
import type { LaneState } from './lane-state.ts';
import { adoptComposition, rememberStart } from './own-compositions.ts';

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
  const changed = adoptComposition(state, event.causedBy, event.streamId);
  return changed ? { changed, touched: [] } : UNCHANGED;
}

/** A stream is over: a tombstone remains, and what lived from the stream is gone with it. */
export function foldStreamEnded(state: LaneState, event: StreamEnded): Folded {
  const { streamId } = event;
  bury(state, streamId, event);
  state.doomed.delete(streamId);
  const had = state.streams.delete(streamId);
  if (had) state.mediaChanged();
  let owned = false;
  for (const [part, resource] of state.resources) {
    if (resource.platformId !== streamId && resource.origin !== streamId) continue;
    state.resources.delete(part);
    rememberStart(state, resource);
    owned = true;
  }
  return { changed: had || owned, touched: [] };
}
