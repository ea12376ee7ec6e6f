import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Who signs an edge token. */
export interface EdgeTokenSigner {
  readonly applicationId: string;
  readonly secret: string;
}

/** What a token grants; the platform's token libraries know more fields than these, and all are kept. */
export interface EdgeTokenClaims {
  /** Ms since 1970. */
  readonly expires: number;
  readonly [claim: string]: unknown;
}

const PREFIX = 'DIGEST:';
const envelope = z.object({ applicationId: z.string(), digest: z.string(), token: z.string() });
const claimsOf = z.looseObject({ expires: z.number() });

const digestOf = ({ applicationId, secret }: EdgeTokenSigner, token: string): string =>
  createHmac('sha512', applicationId + secret)
    .update(token)
    .digest('base64');

/** `DIGEST:` and the base64 of application, digest and claims: made on a backend, without a request. */
export function createEdgeToken(signer: EdgeTokenSigner, claims: EdgeTokenClaims): string {
  const token = JSON.stringify(claims);
  const { applicationId } = signer;
  const body = JSON.stringify({ applicationId, digest: digestOf(signer, token), token });
  return PREFIX + Buffer.from(body).toString('base64');
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON is an ordinary answer here: the token is malformed
  }
};

export type EdgeTokenReading =
  | { readonly ok: true; readonly claims: EdgeTokenClaims }
  | { readonly ok: false; readonly reason: 'malformed' | 'application' | 'digest' | 'expired' };

/** Checks form, signer and age of an edge token; never throws. `nowMs` in ms since 1970. */
export function readEdgeToken(text: string, signer: EdgeTokenSigner, nowMs: number): EdgeTokenReading {
  if (!text.startsWith(PREFIX)) return { ok: false, reason: 'malformed' };
  const json = Buffer.from(text.slice(PREFIX.length), 'base64').toString('utf8');
  const outer = envelope.safeParse(parseJson(json));
  if (!outer.success) return { ok: false, reason: 'malformed' };
  if (outer.data.applicationId !== signer.applicationId) return { ok: false, reason: 'application' };
  const [given, expected] = [Buffer.from(outer.data.digest), Buffer.from(digestOf(signer, outer.data.token))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { ok: false, reason: 'digest' };
  const claims = claimsOf.safeParse(parseJson(outer.data.token));
  if (!claims.success) return { ok: false, reason: 'malformed' };
  return claims.data.expires <= nowMs ? { ok: false, reason: 'expired' } : { ok: true, claims: claims.data };
}
