import type { TransportFault } from './errors.ts';

/** Errors that come before the first byte is sent: proof that nothing happened. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The platform's certificate was not accepted, so the request was not sent either. */
const CERTIFICATE = /CERT|SELF_SIGNED|^UNABLE_TO_/;
const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

const field = (error: unknown, name: 'code' | 'syscall'): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** The code of a network error, empty where it has none: safe to show, unlike its message. */
export const networkCode = (error: unknown): string => field(error, 'code');

/** How a request failed below HTTP, told from the error of undici or node. What is not known counts as broken off. */
export function transportFault(error: unknown): Exclude<TransportFault, 'deadline'> {
  const code = networkCode(error);
  if (NOT_CONNECTED.has(code) || CERTIFICATE.test(code) || field(error, 'syscall') === 'connect')
    return 'not-connected';
  if (code === TOO_LARGE) return 'too-large';
  return CLOSED.has(code) ? 'closed' : 'broken';
}

/** What a transport throws when an answer exceeds its limit. */
export class AnswerTooLargeError extends Error {
  readonly code = TOO_LARGE;
}

/** What a transport throws when it was closed before the request. */
export class TransportClosedError extends Error {
  readonly code = 'UND_ERR_CLOSED';
}
