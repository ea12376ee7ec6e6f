import { z } from 'zod';
import {
  CapacityError,
  ConflictError,
  GoneError,
  InvalidRequestError,
  LimitExceededError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  RequestTimeoutError,
  ServerError,
  StreamingUnsupportedError,
  TimeExceededError,
  UnauthorizedError,
} from './errors.ts';
import type { SafetyClass } from './operation.ts';
import type { OperationName } from './operations.ts';
import type { CallEvidence, CallOutcome, PlatformError } from './platform-error.ts';
import { jsonOf, statusOf } from './read-answer.ts';
import { redactText } from './redact.ts';
import { channel, room } from './schemas/place.ts';
import type { WireAnswer } from './transport.ts';

/** What a failure needs to know of the call that it ends. */
export interface Circumstances {
  readonly operation: OperationName;
  readonly safety: SafetyClass;
  readonly attempts: number;
  /** An earlier attempt of the same call may have happened. */
  readonly doubted: boolean;
  /** Texts that must not show in an error. */
  readonly secrets: readonly string[];
}

/** What is known of the whole call when its last attempt ended so: an earlier doubt stays, reads never did anything. */
export function outcomeOf(last: CallOutcome, { safety, doubted }: Circumstances): CallOutcome {
  const changesNothing = safety === 'read' || safety === 'harmless';
  if (changesNothing) return last === 'unknown' ? 'nothing' : last;
  return doubted ? 'unknown' : last;
}

/** A status as the interface's table spells it: some endpoints write a blank for the hyphen. */
export const statusCode = (rawStatus: string | undefined): string | undefined =>
  rawStatus?.toLowerCase().replaceAll(/[\s_]+/g, '-');

/** Longer or stranger texts are not the interface's and say nothing. */
export const shownStatus = (status: string | undefined, secrets: readonly string[]): string | undefined =>
  status === undefined
    ? undefined
    : redactText(status, secrets)
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, 80);

const existing = z.union([
  z.object({ room }).transform(({ room }) => ({ kind: 'room', room }) as const),
  z.object({ channel }).transform(({ channel }) => ({ kind: 'channel', channel }) as const),
  z
    .object({ transcodingId: z.string() })
    .transform(({ transcodingId }) => ({ kind: 'transcoding', transcodingId }) as const),
]);

const REFUSALS: Readonly<Record<number, new (evidence: CallEvidence) => PlatformError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: UnauthorizedError,
  404: NotFoundError,
  410: GoneError,
  413: LimitExceededError,
  415: StreamingUnsupportedError,
};

/**
 * The error of an answer that is no success. The class follows the HTTP status; only 503 and 504 look at the JSON too,
 * because a bare one may be a gateway's and proves nothing.
 */
export function failureOf(answer: WireAnswer, call: Circumstances): PlatformError {
  const json = jsonOf(answer);
  const status = statusOf(json);
  const evidence = (last: CallOutcome): CallEvidence => ({
    operation: call.operation,
    httpStatus: answer.status,
    rawStatus: shownStatus(status, call.secrets),
    outcome: outcomeOf(last, call),
    attempts: call.attempts,
  });
  const code = statusCode(status);
  if (answer.status === 503 && code === 'capacity') return new CapacityError(evidence('nothing'));
  if (answer.status === 504 && code === 'rate-limited') return new RateLimitedError(evidence('nothing'));
  if (answer.status === 504 && code === 'time-exceeded') return new TimeExceededError(evidence('unknown'));
  if (answer.status === 408) return new RequestTimeoutError(evidence('unknown'));
  if (answer.status >= 500 || answer.status < 400) return new ServerError(evidence('unknown'));
  if (answer.status === 409) return new ConflictError(evidence('refused'), existing.safeParse(json).data);
  return new (REFUSALS[answer.status] ?? RefusedError)(evidence('refused'));
}
