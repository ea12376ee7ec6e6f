/** Tokens that retries of one client share, so that an outage is not answered with a multiple of the usual requests. */
export interface RetryBudget {
  /** Takes a token for a retry; false when there is none. */
  spend(): boolean;
  /** A call that succeeded at its first attempt earns a part of a token. */
  earn(): void;
  readonly tokens: number;
}

export interface RetryBudgetOptions {
  readonly capacity: number;
  /** Tokens per success: the share of requests that may be retries in the long run. */
  readonly refund: number;
}

export const DEFAULT_RETRY_BUDGET: RetryBudgetOptions = { capacity: 20, refund: 0.1 };

export function createRetryBudget({ capacity, refund }: RetryBudgetOptions): RetryBudget {
  let tokens = capacity;
  return {
    spend() {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    earn() {
      tokens = Math.min(capacity, tokens + refund);
    },
    get tokens() {
      return tokens;
    },
  };
}
