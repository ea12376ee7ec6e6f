import type { Actions, Clock, Count, Journaled, Log, RequestBudget } from '../engine/ports.ts';
import type { Backoff } from './backoff.ts';
import type { Perform } from './deed.ts';

/** What to do with an action once reading back cannot tell whether it happened. */
export type OnDoubt = 'retry' | 'give-up' | 'ask';

export interface OutboxSettings {
  readonly actions: Actions;
  readonly perform: Perform;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  /** The outcome on its way back into its lane; durable already. Must not throw. */
  readonly onSettled: (journaled: Journaled) => void;
  readonly log: Log;
  readonly count: Count;
  /** For one attempt. */
  readonly deadlineMs?: number;
  /** At least the deadline, plus the longest that a request may land after we gave up, plus the lag of reading back. */
  readonly graceMs?: number;
  readonly onDoubt?: OnDoubt;
  /** Places at work at the same time, besides those whose calls hang. */
  readonly concurrency?: number;
  /**
   * Since when notifications are taken without a break, on the monotonic clock; by default since this outbox was made.
   * For deeds that only a notification can prove.
   */
  readonly hearingSinceMs?: () => number;
  readonly backoff?: Backoff;
  readonly random?: () => number;
}

export const OUTBOX_DEFAULTS = {
  deadlineMs: 10_000,
  graceMs: 30_000,
  onDoubt: 'retry',
  concurrency: 64,
  backoff: { firstMs: 500, capMs: 60_000 },
} as const satisfies Partial<OutboxSettings>;
