import type { SafetyClass } from './operation.ts';
import type { PlatformError } from './platform-error.ts';

/** The interface's advice (interface.md, "Endpoints") with its numbers; all times in ms. */
export interface RetryPolicy {
  /** Requests of one call, the first included. */
  readonly attempts: number;
  /** From the first request to the end of the last. */
  readonly totalMs: number;
  /** Ceiling of the first wait that is not "at once"; doubles each time. */
  readonly baseMs: number;
  readonly capMs: number;
  /** Wait before the only retry of a 503, drawn between the two. */
  readonly capacityMs: readonly [number, number];
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  attempts: 5,
  totalMs: 60_000,
  baseMs: 500,
  capMs: 20_000,
  capacityMs: [250, 1000],
};

/** What a call has been through when it asks whether to try again. */
export interface RetryHistory {
  readonly safety: SafetyClass;
  /** Requests sent. */
  readonly attempts: number;
  /** Retries made because of a 503, and because of anything else. */
  readonly capacityRetries: number;
  readonly otherRetries: number;
  readonly elapsedMs: number;
}

/**
 * Ms until the next attempt, undefined for none. What may have happened is sent again only where a second time does no
 * harm; what certainly did not is sent again always.
 */
export function retryDelay(
  failure: Pick<PlatformError, 'retryable' | 'outcome' | 'httpStatus'>,
  history: RetryHistory,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!failure.retryable || history.attempts >= policy.attempts) return undefined;
  if (history.safety === 'unsafe' && failure.outcome !== 'nothing') return undefined;
  const delay = delayOf(failure.httpStatus === 503, history, policy, random);
  return delay === undefined || history.elapsedMs + delay >= policy.totalMs ? undefined : delay;
}

function delayOf(
  overloaded: boolean,
  history: RetryHistory,
  { capacityMs: [least, most], baseMs, capMs }: RetryPolicy,
  random: () => number,
): number | undefined {
  if (overloaded) return history.capacityRetries > 0 ? undefined : least + random() * (most - least);
  if (history.otherRetries === 0) return 0;
  return random() * Math.min(capMs, baseMs * 2 ** (history.otherRetries - 1));
}
