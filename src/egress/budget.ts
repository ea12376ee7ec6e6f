import type { BudgetClass, Clock, RequestBudget } from '../engine/ports.ts';

export interface BudgetSettings {
  readonly clock: Clock;
  /** The operator's ceiling: the rate starts there and never passes it. */
  readonly maxPerSecond: number;
  /** The rate never falls below; by default a fiftieth of the ceiling, at most one a second. */
  readonly minPerSecond?: number;
  /** Requests per second gained in each second of answers without a limit. */
  readonly gainPerSecond?: number;
  /** What remains of the rate when the platform says that it is too much. */
  readonly cut?: number;
}

/** In order of service. Within a class: first come, first served. */
const CLASSES: readonly BudgetClass[] = ['action', 'readBack', 'hinted', 'poll'];

/** Refusals of one overload arrive together: they are one piece of news. */
const CUT_AT_MOST_EVERY_MS = 1_000;

/** How much of a second's requests may go at once; more than a timer's lateness, less than what alarms a platform. */
const BURST_SECONDS = 0.05;

/** What polls leave in the bucket, so that an action finds a token at once however busily we poll. */
const RESERVE_SECONDS = 0.25;

const ROUNDING = 1e-9;

/**
 * A token bucket for everything that is asked of the platform, its rate found by AIMD: up slowly while answers are good,
 * down by a factor when one is `limited`. A higher class always goes first, and so actions that alone fill the budget
 * starve the polls: what must be done outranks what might be seen.
 */
export function createRequestBudget(settings: BudgetSettings): RequestBudget {
  const { clock, maxPerSecond } = settings;
  const minPerSecond = settings.minPerSecond ?? Math.min(1, maxPerSecond / 50);
  const gainPerSecond = settings.gainPerSecond ?? maxPerSecond / 120;
  const cut = settings.cut ?? 0.6;
  const waiting: Readonly<Record<BudgetClass, Set<() => void>>> = {
    action: new Set(),
    readBack: new Set(),
    hinted: new Set(),
    poll: new Set(),
  };

  let rate = maxPerSecond;
  const burst = () => Math.max(1, rate * BURST_SECONDS);
  const reserve = () => Math.max(1, rate * RESERVE_SECONDS);
  let tokens = burst() + reserve();
  let filledAt = clock.monotonic();
  let gainedAt = filledAt;
  let cutAt = -Infinity;
  let cancelTimer: (() => void) | undefined;

  /** Tokens that must be in the bucket before the class may take one. */
  const needs = (claim: BudgetClass) => (claim === 'action' || claim === 'readBack' ? 1 : 1 + reserve());

  const fill = () => {
    const now = clock.monotonic();
    tokens = Math.min(burst() + reserve(), tokens + ((now - filledAt) / 1_000) * rate);
    filledAt = now;
  };

  /** The class whose turn it is, were there tokens. */
  const next = (): BudgetClass | undefined => CLASSES.find((claim) => waiting[claim].size > 0);

  const serve = () => {
    fill();
    for (let claim = next(); claim !== undefined; claim = next()) {
      const missing = needs(claim) - tokens;
      if (missing > ROUNDING) {
        cancelTimer?.();
        cancelTimer = clock.after((missing / rate) * 1_000, () => {
          cancelTimer = undefined;
          serve();
        });
        return;
      }
      const [grant] = waiting[claim];
      tokens -= 1;
      grant?.();
    }
    cancelTimer?.();
    cancelTimer = undefined;
  };

  return {
    take(claim, signal) {
      if (signal?.aborted) return Promise.reject(abortReason(signal));
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting[claim].delete(grant);
          reject(abortReason(signal));
          serve();
        };
        const grant = () => {
          waiting[claim].delete(grant);
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        waiting[claim].add(grant);
        signal?.addEventListener('abort', leave, { once: true });
        serve();
      });
    },
    report(result) {
      fill();
      const now = clock.monotonic();
      if (result === 'ok') {
        // Capped: a long silence is no second of good answers.
        rate = Math.min(maxPerSecond, rate + gainPerSecond * Math.min(1, (now - gainedAt) / 1_000));
        gainedAt = now;
      } else if (now - cutAt >= CUT_AT_MOST_EVERY_MS) {
        rate = Math.max(minPerSecond, rate * cut);
        tokens = Math.min(tokens, 0);
        gainedAt = cutAt = now;
        serve();
      }
    },
    get rate() {
      return rate;
    },
  };
}

const abortReason = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error('The wait for the request budget was aborted.');
