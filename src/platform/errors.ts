import { PlatformError, type CallEvidence } from './platform-error.ts';
import type { Channel, Room } from './schemas/place.ts';

const said = ({ httpStatus, rawStatus }: CallEvidence): string =>
  `${httpStatus ?? 'no status'}${rawStatus === undefined ? '' : ` "${rawStatus}"`}`;

/** The request is wrong: refused here before it was sent, or by the platform with 400. */
export class InvalidRequestError extends PlatformError {
  override readonly code = 'invalid-request';
  override readonly retryable = false;
  /** Field and fault, where it was refused here. */
  readonly faults: readonly string[];
  constructor(evidence: CallEvidence, faults: readonly string[] = []) {
    super(
      'invalid-request',
      faults.length > 0
        ? `the request was not sent because it is wrong: ${faults.join('; ')}.`
        : `the platform answered ${said(evidence)}: it finds the request wrong. Compare it with the interface.`,
      evidence,
    );
    this.faults = faults;
  }
}

/** A message is over a limit in UTF-8 bytes and was not sent (interface.md, "Limits"); `cutToBytes` shortens it. */
export class MessageLimitError extends PlatformError {
  override readonly code = 'message-limit';
  override readonly retryable = false;
  readonly field: 'message' | 'tags' | 'screenName' | 'mimeType';
  readonly bytes: number;
  readonly max: number;
  constructor(evidence: CallEvidence, over: Pick<MessageLimitError, 'field' | 'bytes' | 'max'>) {
    super(
      'message-limit',
      `${over.field} takes ${over.bytes} bytes in UTF-8, the platform accepts ${over.max}: shorten it. It was not sent.`,
      evidence,
    );
    this.field = over.field;
    this.bytes = over.bytes;
    this.max = over.max;
  }
}

/** 401 or 403. On kill a 401 can also mean a `reason` that is no string; those are refused before they are sent. */
export class UnauthorizedError extends PlatformError {
  override readonly code = 'unauthorized';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super(
      'unauthorized',
      `the platform answered ${said(evidence)}: it does not accept the application id and secret. Check both, and that they belong to this base address.`,
      evidence,
    );
  }
}

/** 404 in either spelling: the thing is unknown or gone. */
export class NotFoundError extends PlatformError {
  override readonly code = 'not-found';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super(
      'not-found',
      `the platform answered ${said(evidence)}: what the call names does not exist. It is addressed by id, not by alias.`,
      evidence,
    );
  }
}

/** 408: the platform gave up on a resource that may come back. */
export class RequestTimeoutError extends PlatformError {
  override readonly code = 'request-timeout';
  override readonly retryable = true;
  constructor(evidence: CallEvidence) {
    super('request-timeout', `the platform answered ${said(evidence)}: try again later.`, evidence);
  }
}

/** What a 409 on a create shows of the thing that has the alias, the name or the origin. */
export type ExistingThing =
  | { readonly kind: 'room'; readonly room: Room }
  | { readonly kind: 'channel'; readonly channel: Channel }
  | { readonly kind: 'transcoding'; readonly transcodingId: string };

/** 409: it exists, is deleted already, or has not ended; `rawStatus` tells which. */
export class ConflictError extends PlatformError {
  override readonly code = 'conflict';
  override readonly retryable = false;
  readonly #existing: ExistingThing | undefined;
  constructor(evidence: CallEvidence, existing?: ExistingThing) {
    super(
      'conflict',
      `the platform answered ${said(evidence)}: the state of the thing does not allow the call.`,
      evidence,
    );
    this.#existing = existing;
  }

  /** What is there already, where the answer carried it. Not printed: rooms and channels have a `streamKey`. */
  get existing(): ExistingThing | undefined {
    return this.#existing;
  }
}

/** 410: it has ended, is deleted, or its host is unavailable; `rawStatus` tells which. */
export class GoneError extends PlatformError {
  override readonly code = 'gone';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super('gone', `the platform answered ${said(evidence)}: the thing is over.`, evidence);
  }
}

/** 413: a message or a `limit` is over what the platform takes. */
export class LimitExceededError extends PlatformError {
  override readonly code = 'limit-exceeded';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super('limit-exceeded', `the platform answered ${said(evidence)}: ask for less, or send less.`, evidence);
  }
}

/** 415: the room has no stream with capability `streaming`. */
export class StreamingUnsupportedError extends PlatformError {
  override readonly code = 'streaming-unsupported';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super(
      'streaming-unsupported',
      `the platform answered ${said(evidence)}: publish with capability \`streaming\`.`,
      evidence,
    );
  }
}

/** Another 4XX than those of the interface. */
export class RefusedError extends PlatformError {
  override readonly code = 'refused';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super('refused', `the answer was ${said(evidence)}, which the interface does not know.`, evidence);
  }
}

/** 504 `rate-limited` in JSON: nothing happened, send less. */
export class RateLimitedError extends PlatformError {
  override readonly code = 'rate-limited';
  override readonly retryable = true;
  constructor(evidence: CallEvidence) {
    super('rate-limited', `the platform answered ${said(evidence)}: too many requests. Slow down.`, evidence);
  }
}

/** 503 `capacity` in JSON: nothing happened, try once more. */
export class CapacityError extends PlatformError {
  override readonly code = 'capacity';
  override readonly retryable = true;
  constructor(evidence: CallEvidence) {
    super('capacity', `the platform answered ${said(evidence)}: it is overloaded.`, evidence);
  }
}

/** 504 `time-exceeded` in JSON: the platform took too long and may have done it. */
export class TimeExceededError extends PlatformError {
  override readonly code = 'time-exceeded';
  override readonly retryable = true;
  constructor(evidence: CallEvidence) {
    super('time-exceeded', `the platform answered ${said(evidence)}: it took too long.`, evidence);
  }
}

/** Another 5XX, often of a gateway in between. */
export class ServerError extends PlatformError {
  override readonly code = 'server-error';
  override readonly retryable = true;
  constructor(evidence: CallEvidence) {
    super('server-error', `the answer was ${said(evidence)}: the platform or a gateway failed.`, evidence);
  }
}

/** An answer that the interface does not promise: other media type, no `status: "ok"`, a field missing. */
export class ProtocolError extends PlatformError {
  override readonly code = 'protocol';
  override readonly retryable = false;
  constructor(evidence: CallEvidence, fault: string) {
    super(
      'protocol',
      `the answer (${said(evidence)}) is not what the interface promises: ${fault}. Is the base address that of the platform, with its path prefix?`,
      evidence,
    );
  }
}

/** How a request failed below HTTP. */
export type TransportFault = 'not-connected' | 'broken' | 'deadline' | 'too-large' | 'closed';

const TRANSPORT_MESSAGE: Readonly<Record<TransportFault, string>> = {
  'not-connected':
    'no connection to the platform could be made, so nothing was sent. Check address and network',
  broken: 'the connection broke before the answer was complete',
  deadline: 'no complete answer came within the deadline',
  'too-large': 'the answer is larger than the client accepts (`maxResponseBytes`)',
  closed: 'the client was closed before the call',
};

/** No complete answer: not connected, broken off, too late, or larger than allowed. */
export class TransportError extends PlatformError {
  override readonly code = 'transport';
  override readonly retryable: boolean;
  readonly fault: TransportFault;
  constructor(evidence: CallEvidence, fault: TransportFault, detail?: string) {
    super('transport', `${TRANSPORT_MESSAGE[fault]}${detail === undefined ? '' : ` (${detail})`}.`, evidence);
    this.fault = fault;
    this.retryable = fault !== 'too-large' && fault !== 'closed';
  }
}

/** The caller's signal ended the call; its reason is the `cause`. */
export class AbortedError extends PlatformError {
  override readonly code = 'aborted';
  override readonly retryable = false;
  constructor(evidence: CallEvidence) {
    super('aborted', 'the caller gave the call up.', evidence);
  }
}

/** An operation that must not run twice failed in a way that does not tell whether it ran; the `cause` says how. */
export class OutcomeUnknownError extends PlatformError {
  override readonly code = 'outcome-unknown';
  override readonly retryable = false;
  declare readonly cause: PlatformError;
  constructor(evidence: CallEvidence & { readonly cause: PlatformError }) {
    super(
      'outcome-unknown',
      `it may have happened and must not happen twice: read back before sending it again. ${evidence.cause.message}`,
      evidence,
    );
  }
}
