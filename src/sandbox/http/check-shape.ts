import type { Operation } from '../../platform/index.ts';
import type { z } from 'zod';
import type { DecisionId } from '../decisions.ts';
import type { JsonBody } from './json-body.ts';
import type { Reply } from './reply.ts';
import { refuse, text } from './reply.ts';

export type Checked =
  | { readonly call: { readonly params: unknown; readonly query: unknown; readonly body: unknown } }
  | { readonly refused: Reply };

/** Path, query and body against the table's schemas: 400, or 401 where only `reason` is at fault and the table says so. */
export function checkShape(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  search: string,
  body: JsonBody,
): Checked {
  const path = operation.params.safeParse(params);
  if (!path.success)
    return operation.response.kind === 'redirect' || operation.response.kind === 'manifest'
      ? { refused: refuse(404, operation.response.kind === 'redirect' ? 'not found' : 'not-found') }
      : { refused: badRequest(operation, path.error) };
  const query = operation.query.safeParse(
    search === '' ? {} : Object.fromEntries(new URLSearchParams(search)),
  );
  if (!query.success)
    return { refused: badRequest(operation, query.error, QUERY_DECISIONS[operation.number]) };
  if (operation.request === null) return { call: { params: path.data, query: query.data, body: undefined } };
  if (body.kind === 'bad') return { refused: badRequest(operation) };
  const request = operation.request.safeParse(body.kind === 'object' ? body.value : {});
  if (request.success) return { call: { params: path.data, query: query.data, body: request.data } };
  const onlyReason = request.error.issues.every((issue) => issue.path[0] === 'reason');
  return onlyReason && operation.statuses.some((status) => status.http === 401)
    ? { refused: refuse(401, 'unauthorized', { hint: 'reason is not a string.' }) }
    : { refused: badRequest(operation, request.error, bodyDecision(operation, request.error)) };
}

/** A query that does not fit is a 400 by our decision: the interface shows no answer to it. */
const QUERY_DECISIONS: Readonly<Record<number, DecisionId>> = {
  15: 'count-query',
  20: 'rooms-type',
  24: 'count-query',
  27: 'page-limit',
};

function bodyDecision({ number }: Operation, { issues }: z.core.$ZodError): DecisionId | undefined {
  const blames = (field: string): boolean => issues.some((issue) => issue.path.includes(field));
  if (number === 17 && blames('type')) return 'type-of-a-channel';
  if ((number === 29 || number === 30) && blames('anchor')) return 'composition-inputs';
  return undefined;
}

/** The first operation documents its 400 without a status word: it is plain text. */
function badRequest(operation: Operation, error?: z.core.$ZodError, decision?: DecisionId): Reply {
  const hint =
    error?.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ') ??
    'The body is not a JSON object.';
  if (operation.number === 1) return text(400, `Bad Request: ${hint}`);
  return refuse(400, 'bad-request', { hint }, ...(decision === undefined ? [] : [decision]));
}
