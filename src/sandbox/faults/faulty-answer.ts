import type { Operation } from '../../platform/index.ts';
import { COMMON_STATUSES } from '../../platform/index.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFault } from './rules.ts';

/** The answer that a rule puts in place of the right one; undefined when it only delays or cuts that. */
export function faultyAnswer(operation: Operation, fault: RequestFault): Reply | undefined {
  if (fault.status === undefined && fault.body === undefined) return undefined;
  const http = fault.status ?? 200;
  const headers = fault.headers === undefined ? {} : { headers: fault.headers };
  if (typeof fault.body === 'string') {
    const contentType =
      fault.contentType ?? (fault.body.trimStart().startsWith('<') ? 'text/html' : 'text/plain');
    return { http, contentType, body: fault.body, status: '', ...headers };
  }
  const word = documentedWord(operation, http);
  const body = JSON.stringify(fault.body ?? (word === '' ? {} : { status: word }));
  return { http, contentType: fault.contentType ?? 'application/json', body, status: word, ...headers };
}

function documentedWord(operation: Operation, http: number): string {
  const documented = [...operation.statuses, ...COMMON_STATUSES].find(
    (status) => status.http === http && status.status.length > 0,
  );
  return documented?.status[0] ?? (http >= 500 ? 'internal-error' : http >= 400 ? 'bad-request' : 'ok');
}
