import type { Operation } from '../../platform/index.ts';
import type { DecisionId } from '../decisions.ts';
import type { JsonBody } from './json-body.ts';
import { isObject } from './json-body.ts';
import type { Reply } from './reply.ts';
import { refuse } from './reply.ts';

interface Credentials {
  readonly applicationId: string;
  readonly secret: string;
}

/** Undefined lets the request pass; else the answer: 401, or 400 where unreadable JSON hides the credentials. */
export function authenticate(
  operation: Operation,
  known: Credentials,
  authorization: string | undefined,
  body: JsonBody,
): Reply | undefined {
  const fits = (given: Partial<Record<keyof Credentials, unknown>> | undefined): boolean =>
    given?.applicationId === known.applicationId && given.secret === known.secret;
  const header = authorization === undefined ? undefined : readBasic(authorization);
  const inHeader = authorization !== undefined;
  if (operation.authentication === 'streamToken') return undefined;
  if (operation.authentication === 'basic') {
    const isManifest = operation.response.kind === 'manifest' || operation.response.kind === 'redirect';
    return fits(header) || (isManifest && !inHeader) ? undefined : unauthorized();
  }
  if (operation.authentication === 'basicOrBody') {
    const inBody = body.kind === 'object' ? body.value.credentials : undefined;
    return judge(inHeader, fits(header), inBody !== undefined, isObject(inBody) && fits(inBody), body);
  }
  const value = body.kind === 'object' ? body.value : {};
  const inBody = 'applicationId' in value || 'secret' in value;
  return judge(takesBasicToo(operation) && inHeader, fits(header), inBody, fits(value), body);
}

/** Tokens are issued for credentials in the body only; the other stream operations take HTTP Basic too. */
export const takesBasicToo = (operation: Operation): boolean =>
  operation.authentication === 'body' && operation.safety !== 'harmless';

/** The header counts; what the body says besides must agree with it. */
function judge(
  inHeader: boolean,
  headerFits: boolean,
  inBody: boolean,
  bodyFits: boolean,
  body: JsonBody,
): Reply | undefined {
  if (inHeader) {
    if (!headerFits) return unauthorized();
    return inBody && !bodyFits ? unauthorized('credentials-mismatch') : undefined;
  }
  if (bodyFits) return undefined;
  return body.kind === 'bad'
    ? refuse(400, 'bad-request', { hint: 'The body is not a JSON object.' })
    : unauthorized();
}

const unauthorized = (...evidence: readonly DecisionId[]): Reply =>
  refuse(401, 'unauthorized', {}, ...evidence);

function readBasic(authorization: string): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { applicationId: text.slice(0, colon), secret: text.slice(colon + 1) };
}
