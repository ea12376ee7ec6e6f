import type { ServerResponse } from 'node:http';

/** What the receiver answers, and nothing else (docs/platform-decisions.md, "Receiver"). */
export const ANSWERS = {
  accepted: 200,
  'not-json': 400,
  unauthorized: 401,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-large': 413,
  'unsupported-media-type': 415,
  /** A bug of ours: the platform sends it again. */
  failed: 500,
  /** Not durable: the platform sends it again. */
  unavailable: 503,
} as const;
export type Answer = keyof typeof ANSWERS;

/** Text, not bytes: Node sends it with the headers in one write, which is a third of the whole cost of an answer. */
const BODIES = Object.fromEntries(
  Object.keys(ANSWERS).map((answer) => [
    answer,
    JSON.stringify({ status: answer === 'accepted' ? 'ok' : answer }),
  ]),
) as Record<Answer, string>; // one entry for each key of ANSWERS

const JSON_TYPE = 'application/json';

/** Who is answered so has shown no signature, and gets no second request on the same connection. */
const STRANGERS: ReadonlySet<Answer> = new Set([
  'unauthorized',
  'not-found',
  'method-not-allowed',
  'too-large',
  'unsupported-media-type',
]);

/** Sends the answer; an unread body ends the connection, so that nobody makes us swallow it. */
export function answerRequest(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  const body = BODIES[answer];
  const headers: Record<string, string | number> = {
    'content-type': JSON_TYPE,
    'content-length': body.length,
  };
  if (answer === 'method-not-allowed') headers.allow = 'GET, POST, PUT';
  if (answer === 'unavailable') headers['retry-after'] = 3;
  if (!response.req.complete || STRANGERS.has(answer)) headers.connection = 'close';
  response.writeHead(ANSWERS[answer], headers);
  response.end(body);
}
