import type { StreamEnded } from '../domain/event.ts';
import type { LaneState } from './lane-state.ts';

/** How long the end of a stream is remembered at least: the platform's notifications are retried for less. */
const TOMBSTONE_MS = 24 * 3_600_000;

/** A stream is over: a tombstone remains. What was told of its end first stands, where it was told at all. */
export function bury(
  state: LaneState,
  streamId: string,
  end: Pick<StreamEnded, 'at' | 'seenAt' | 'durationMs' | 'reason'>,
): void {
  const before = state.tombstones.get(streamId);
  state.tombstones.set(streamId, {
    durationMs: before?.durationMs ?? end.durationMs,
    reason: before?.reason ?? end.reason,
    seenAt: before?.seenAt ?? end.seenAt,
    until: Math.max(end.at, end.seenAt) + TOMBSTONE_MS,
  });
}
