import type { ClientTime } from './client-time.ts';
import { AbortedError, ProtocolError, TransportError } from './errors.ts';
import { failureOf, outcomeOf, shownStatus, type Circumstances } from './failure-of.ts';
import { onAbort } from './on-abort.ts';
import { operations } from './operations.ts';
import type { CallEvidence, PlatformError } from './platform-error.ts';
import { jsonOf, readAnswer, statusOf } from './read-answer.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';
import { networkCode, transportFault } from './transport-fault.ts';

/** A result with the HTTP status that carried it, or the error that the call ends with unless it is tried again. */
export type AttemptResult =
  | { readonly ok: true; readonly value: unknown; readonly httpStatus: number }
  | { readonly ok: false; readonly error: PlatformError };

export interface AttemptContext {
  readonly transport: Transport;
  readonly time: ClientTime;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

const evidenceOf = (call: Circumstances, last: CallEvidence['outcome'], cause?: unknown): CallEvidence => ({
  operation: call.operation,
  outcome: outcomeOf(last, call),
  attempts: call.attempts,
  cause,
});

/** Sends a request once and reads what comes back; only a bug rejects. */
export async function attempt(
  request: WireRequest,
  context: AttemptContext,
  call: Circumstances,
): Promise<AttemptResult> {
  const sent = await sendWithDeadline(request, context, call);
  if (!sent.ok) return sent;
  const { answer } = sent;
  const reading = readAnswer(operations[call.operation], answer);
  switch (reading.kind) {
    case 'result':
      return { ok: true, value: reading.value, httpStatus: answer.status };
    case 'failure':
      return { ok: false, error: failureOf(answer, call) };
    case 'misfit': {
      const evidence = {
        ...evidenceOf(call, 'unknown'),
        httpStatus: answer.status,
        rawStatus: shownStatus(statusOf(jsonOf(answer)), call.secrets),
      };
      return { ok: false, error: new ProtocolError(evidence, reading.fault) };
    }
    default:
      return reading satisfies never;
  }
}

type Sent =
  | { readonly ok: true; readonly answer: WireAnswer }
  | { readonly ok: false; readonly error: PlatformError };

/** The deadline runs on the injected time and covers the whole answer, its body included. */
async function sendWithDeadline(
  request: WireRequest,
  { transport, time, deadlineMs, signal }: AttemptContext,
  call: Circumstances,
): Promise<Sent> {
  const controller = new AbortController();
  let late = false;
  const cancelDeadline = time.after(deadlineMs, () => {
    late = true;
    controller.abort();
  });
  const forget = onAbort(signal, () => {
    controller.abort();
  });
  try {
    return { ok: true, answer: await transport.send(request, controller.signal) };
  } catch (cause) {
    return { ok: false, error: failureOfTransport(cause, late, signal, call) };
  } finally {
    cancelDeadline();
    forget();
  }
}

function failureOfTransport(
  cause: unknown,
  late: boolean,
  signal: AbortSignal | undefined,
  call: Circumstances,
): PlatformError {
  if (signal?.aborted === true) return new AbortedError(evidenceOf(call, 'unknown', signal.reason));
  if (late) return new TransportError(evidenceOf(call, 'unknown'), 'deadline');
  const fault = transportFault(cause);
  const outcome = fault === 'not-connected' || fault === 'closed' ? 'nothing' : 'unknown';
  return new TransportError(evidenceOf(call, outcome, cause), fault, networkCode(cause) || undefined);
}
