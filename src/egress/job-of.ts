import type { Clock, OpenAction } from '../engine/ports.ts';
import type { Deed } from './deed.ts';
import type { Doubt, Job } from './job.ts';
import { NOTIFICATION_SPAN_MS } from './notification-lag.ts';

/** What an earlier life of the daemon did about an intent. */
export type Past = Pick<OpenAction, 'attempts' | 'markedAt'>;

/** The job of one intent; with a past it may be in doubt, and older. */
export function jobOf(
  member: Job['members'][number],
  deed: Deed,
  now: { readonly clock: Clock; readonly graceMs: number; readonly past: Past | undefined },
): Job {
  const { clock, graceMs, past } = now;
  // Age counts from where our own clock saw it, if it did: the event's time is the platform's, and clocks differ.
  const seenAt = past ? (past.markedAt ?? member.action.decidedAt) : clock.now();
  const ageMs = Math.max(0, clock.now() - seenAt);
  return {
    members: [member],
    deed,
    staleAtMs: clock.monotonic() - ageMs + deed.freshForMs,
    state: 'ready',
    attempts: past?.attempts ?? 0,
    failures: 0,
    doubt: past && past.markedAt !== null ? doubtSince(past.markedAt, clock, graceMs) : undefined,
    settlement: undefined,
    dueAtMs: 0,
    cancelWait: undefined,
  };
}

/**
 * The last life's request may be on its way still. How long ago it was sent only the wall clock could tell, which may
 * have been set meanwhile: so GRACE begins anew. A mark in our future shows that it was set, and tells no age.
 */
function doubtSince(markedAt: number, clock: Clock, graceMs: number): Doubt {
  const ageMs = clock.now() - markedAt;
  const now = clock.monotonic();
  return { sinceMs: now - (ageMs < 0 ? NOTIFICATION_SPAN_MS : ageMs), provenFromMs: now + graceMs };
}
