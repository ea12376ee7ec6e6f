import { UsherError } from '../errors.ts';
import type { OperationName } from './operations.ts';

/**
 * What is known of the deed when a call failed. `refused`: the platform said no and did nothing; `nothing`: nothing
 * happened, the request never took effect (not connected, overloaded, not sent, or it only reads); `unknown`: it may
 * have happened.
 */
export type CallOutcome = 'refused' | 'nothing' | 'unknown';

/** What every failed call knows of itself. */
export interface CallEvidence {
  readonly operation: OperationName;
  readonly httpStatus?: number | undefined;
  /** The platform's `status` text as spelt, secrets removed. */
  readonly rawStatus?: string | undefined;
  readonly outcome: CallOutcome;
  /** Requests sent, this one included. */
  readonly attempts: number;
  readonly cause?: unknown;
}

/**
 * A call of the platform that gave no result. Branch on the class or `code`; `retryable` says whether the same call may
 * succeed later, `outcome` whether it may have happened. Holds no secret: not in fields, message, stack or `inspect`.
 */
export abstract class PlatformError extends UsherError {
  readonly operation: OperationName;
  readonly httpStatus: number | undefined;
  readonly rawStatus: string | undefined;
  readonly outcome: CallOutcome;
  readonly attempts: number;
  abstract override readonly code: string;
  abstract readonly retryable: boolean;

  constructor(code: string, message: string, evidence: CallEvidence) {
    const { operation, httpStatus, rawStatus, outcome, attempts, cause } = evidence;
    super(code, `${operation}: ${message}`, {
      data: { operation, httpStatus, rawStatus, outcome, attempts },
      cause,
    });
    this.operation = operation;
    this.httpStatus = httpStatus;
    this.rawStatus = rawStatus;
    this.outcome = outcome;
    this.attempts = attempts;
  }
}
