import type { DecisionId } from '../decisions.ts';

/** An answer before it is written to the wire. */
export interface Reply {
  readonly http: number;
  readonly contentType: string;
  readonly body: string;
  /** The documented word, for the log; empty where there is none. */
  readonly status: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Evidence = readonly DecisionId[];

const decided = (evidence: Evidence): Pick<Reply, 'headers'> =>
  evidence.length === 0 ? {} : { headers: { 'x-sandbox-decision': evidence.join(', ') } };

/** `status: "ok"` and the fields. */
export const ok = (fields: object = {}, ...evidence: Evidence): Reply => ({
  http: 200,
  contentType: 'application/json',
  body: JSON.stringify({ status: 'ok', ...fields }),
  status: 'ok',
  ...decided(evidence),
});

/** A refusal in JSON. `fields` may carry a `hint` for the reader or an existing object. */
export const refuse = (http: number, status: string, fields: object = {}, ...evidence: Evidence): Reply => ({
  http,
  contentType: 'application/json',
  body: JSON.stringify({ status, ...fields }),
  status,
  ...decided(evidence),
});

export const text = (
  http: number,
  body: string,
  contentType = 'text/plain',
  ...evidence: Evidence
): Reply => ({
  http,
  contentType,
  body,
  status: http === 200 ? 'ok' : '',
  ...decided(evidence),
});

/** The same answer, marked with further decisions. */
export function marked(reply: Reply, ...evidence: Evidence): Reply {
  const before = reply.headers?.['x-sandbox-decision'];
  const all = before === undefined ? evidence.join(', ') : [before, ...evidence].join(', ');
  return evidence.length === 0
    ? reply
    : { ...reply, headers: { ...reply.headers, 'x-sandbox-decision': all } };
}
