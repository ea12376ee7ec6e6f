/** When a stream started, and ended if it did, in ms since 1970. */
export interface Timing {
  readonly now: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export const SEGMENT_MS = 2_000;
const LIVE_WINDOW = 6;

/** The segments of a playlist: a sliding window while live, everything on demand. At least one. */
export function segmentsOf(
  what: 'live' | 'on-demand',
  timing: Timing,
): { readonly first: number; readonly count: number } {
  const complete = Math.max(1, Math.floor(((timing.endedAt ?? timing.now) - timing.startedAt) / SEGMENT_MS));
  const first = what === 'live' ? Math.max(0, complete - LIVE_WINDOW) : 0;
  return { first, count: complete - first };
}
