import { describeError } from '../errors.ts';
import {
  AbortedError,
  CapacityError,
  PlatformError,
  ProtocolError,
  RateLimitedError,
  UnauthorizedError,
} from '../platform/index.ts';
import type { Done, Fate } from './fate.ts';

/**
 * What a failed call says about the deed. The client tells refused, nothing and unknown apart; what it did not throw is
 * a bug of ours in the middle of a deed, and so in doubt.
 */
export function fateOfError(error: unknown): Exclude<Fate, Done> {
  const reason = describeError(error);
  if (!(error instanceof PlatformError)) return { kind: 'doubt', reason };
  if (error instanceof UnauthorizedError) return { kind: 'unauthorized', reason };
  if (error.outcome === 'unknown') return { kind: 'doubt', reason };
  const limited = error instanceof RateLimitedError || error instanceof CapacityError;
  // A read whose answer was garbled, or that we gave up, is as good as new.
  const passing = error.retryable || error instanceof AbortedError || error instanceof ProtocolError;
  return passing ? { kind: 'again', reason, limited } : { kind: 'failed', detail: reason };
}
