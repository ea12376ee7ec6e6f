import { attempt, type AttemptResult } from './attempt.ts';
import type { ClientHooks } from './client-hooks.ts';
import { pause, type ClientTime } from './client-time.ts';
import { AbortedError, OutcomeUnknownError } from './errors.ts';
import { outcomeOf, statusCode, type Circumstances } from './failure-of.ts';
import type { Operation } from './operation.ts';
import { operations, type OperationName } from './operations.ts';
import type { PlatformError } from './platform-error.ts';
import type { RetryBudget } from './retry-budget.ts';
import { retryDelay, type RetryPolicy } from './retry-policy.ts';
import type { Transport, WireRequest } from './transport.ts';

/** Options of one call. */
export interface CallOptions {
  /** Ends the call with `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Of each attempt, ms; the client's when absent. */
  readonly deadlineMs?: number | undefined;
  /** `never` sends once: for callers that have a protocol of their own for trying again. */
  readonly retry?: 'policy' | 'never' | undefined;
}

/** What all calls of a client share. */
export interface CallContext {
  readonly transport: Transport;
  readonly time: ClientTime;
  readonly random: () => number;
  readonly deadlineMs: number;
  readonly policy: RetryPolicy;
  readonly budget: RetryBudget;
  readonly hooks: ClientHooks;
  /** Texts that must not show in an error. */
  readonly secrets: readonly string[];
}

/** A failure that may have changed something on the platform, so that a later answer no longer tells who did it. */
const leavesDoubt = (error: PlatformError): boolean => error.outcome === 'unknown';

const saysAlready = (operation: Operation, error: PlatformError): boolean =>
  operation.already.some(
    ({ http, status }) =>
      http === error.httpStatus && (status === undefined || status === statusCode(error.rawStatus)),
  );

/**
 * Sends a request until it has a result or a failure that stands, by the safety class of its operation. Throws a
 * `PlatformError`: what may have happened and must not happen twice becomes an `OutcomeUnknownError`.
 */
export async function performCall(
  name: OperationName,
  request: WireRequest,
  context: CallContext,
  options: CallOptions,
): Promise<unknown> {
  const { time, hooks, policy, budget } = context;
  const operation: Operation = operations[name];
  const { signal } = options;
  const startedAt = time.monotonic();
  let doubted = false;
  let capacityRetries = 0;
  let otherRetries = 0;

  for (let attempts = 1; ; attempts += 1) {
    const call: Circumstances = {
      operation: name,
      safety: operation.safety,
      attempts,
      doubted,
      secrets: context.secrets,
    };
    if (signal?.aborted === true) throw abortedBefore(call, signal);
    const result = await watched(request, context, options, call, startedAt);
    if (result.ok) {
      if (attempts === 1) budget.earn();
      return result.value;
    }
    const { error } = result;
    if (doubted && saysAlready(operation, error)) return { status: 'ok' };

    const elapsedMs = time.monotonic() - startedAt;
    const history = { safety: operation.safety, attempts, capacityRetries, otherRetries, elapsedMs };
    const delayMs =
      options.retry === 'never' ? undefined : retryDelay(error, history, policy, context.random);
    if (delayMs === undefined || !budget.spend()) throw standing(operation, error);

    doubted ||= leavesDoubt(error);
    if (error.httpStatus === 503) capacityRetries += 1;
    else otherRetries += 1;
    hooks.onRetry?.({ operation: name, attempt: attempts + 1, delayMs, code: error.code });
    if (delayMs > 0) await pause(time, delayMs, signal);
  }
}

/** One attempt between its two hooks, no longer than what is left of the call's time. */
async function watched(
  request: WireRequest,
  context: CallContext,
  options: CallOptions,
  call: Circumstances,
  callStartedAt: number,
): Promise<AttemptResult> {
  const { transport, time, hooks, policy } = context;
  const info = { operation: call.operation, attempt: call.attempts };
  const startedAt = time.monotonic();
  const leftMs = options.retry === 'never' ? Infinity : policy.totalMs - (startedAt - callStartedAt);
  const deadlineMs = Math.min(options.deadlineMs ?? context.deadlineMs, leftMs);
  hooks.onRequest?.(info);
  const result = await attempt(request, { transport, time, deadlineMs, signal: options.signal }, call);
  hooks.onResponse?.({
    ...info,
    durationMs: time.monotonic() - startedAt,
    httpStatus: result.ok ? result.httpStatus : result.error.httpStatus,
    code: result.ok ? 'ok' : result.error.code,
  });
  return result;
}

const abortedBefore = (call: Circumstances, signal: AbortSignal): AbortedError =>
  new AbortedError({
    operation: call.operation,
    attempts: call.attempts - 1,
    outcome: outcomeOf('nothing', call),
    cause: signal.reason,
  });

function standing({ safety }: Operation, error: PlatformError): PlatformError {
  if (safety !== 'unsafe' || error.outcome !== 'unknown' || error instanceof AbortedError) return error;
  const { operation, httpStatus, rawStatus, outcome, attempts } = error;
  return new OutcomeUnknownError({ operation, httpStatus, rawStatus, outcome, attempts, cause: error });
}
