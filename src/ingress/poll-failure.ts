import { InboxFullError, StoreError, describeError } from '../errors.ts';
import { CapacityError, NotFoundError, RateLimitedError, PlatformError } from '../platform/index.ts';

/**
 * What a failed poll means: `limited`: ask less; `not-found`: the place may be gone; `not-durable`: our own store or
 * inbox, the platform is well; `failed`: the platform failed us; `bug`: ours.
 */
export type PollFailure = 'limited' | 'not-found' | 'not-durable' | 'failed' | 'bug';

export function pollFailure(error: unknown): PollFailure {
  if (error instanceof RateLimitedError || error instanceof CapacityError) return 'limited';
  if (error instanceof NotFoundError) return 'not-found';
  if (error instanceof StoreError || error instanceof InboxFullError) return 'not-durable';
  return error instanceof PlatformError ? 'failed' : 'bug';
}

/** Class and message for logs; platform errors keep secrets out of theirs. */
export const failureReason = (error: unknown): string =>
  error instanceof PlatformError ? `${error.code}: ${error.message}` : describeError(error);
