import type { Doubt } from './job.ts';

/** After a failed attempt a notification comes again, then each time twice as late, nine times (interface.md, "Events"). */
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = FIRST_PAUSE_MS * 2 ** 8;
export const NOTIFICATION_SPAN_MS = FIRST_PAUSE_MS * (2 ** 9 - 1);

/**
 * When a thing that only a notification tells of must have been told. `hearingSinceMs`: since when notifications are
 * taken without a break, on the monotonic clock. One that came before that comes again: each pause is about as long as
 * all before it together, so for as long as nobody listened, at most. One that came for longer than its retries run may
 * be lost: that it was not heard proves nothing then. The wait is as long all the same, for how long nobody listened
 * may be known from a wall clock that was set; and it ends, however often we are deaf again.
 */
export function toldBy(
  { sinceMs, provenFromMs }: Doubt,
  hearingSinceMs: number,
  graceMs: number,
): { readonly provenFromMs: number; readonly mayBeLost: boolean } {
  const deafMs = hearingSinceMs - sinceMs;
  if (deafMs <= 0) return { provenFromMs, mayBeLost: false };
  const toldFromMs = hearingSinceMs + Math.min(deafMs + FIRST_PAUSE_MS, LONGEST_PAUSE_MS) + graceMs;
  return {
    provenFromMs: Math.max(provenFromMs, Math.min(toldFromMs, provenFromMs + NOTIFICATION_SPAN_MS)),
    mayBeLost: deafMs > NOTIFICATION_SPAN_MS,
  };
}
