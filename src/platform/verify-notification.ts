import { createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { signatureHeaders } from './header-names.ts';
import { authorizationOf, contentSha256 } from './sign-notification.ts';

/** Unit of `X-Service-Timestamp`, told by its digits: 10 are seconds, 13 are milliseconds. */
export type TimestampUnit = 's' | 'ms';

export interface VerifierOptions {
  /** Several while a secret is rotated; empty ones never fit. */
  readonly secrets: readonly string[];
  /** `auto` takes both: lock on the unit of the first notification that verified, and keep it. */
  readonly unit?: TimestampUnit | 'auto';
  /** 30 min when absent: the documented retries run 1533 s and may not be signed anew. */
  readonly maxAgeMs?: number;
  /** 5 min when absent. */
  readonly maxAheadMs?: number;
  /** `X-Service` when absent. */
  readonly headerPrefix?: string;
}

/** A notification as it arrived. */
export interface ReceivedNotification {
  readonly method: string;
  /** The raw request target (`request.url` of node:http), or what was signed where a proxy rewrites paths. */
  readonly target: string;
  /** By lower-case name. Node's `headersDistinct` shows doubled headers as arrays, which are rejected. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes on the wire, never re-serialised JSON. */
  readonly body: Uint8Array | string;
  /** Ms since 1970. */
  readonly nowMs: number;
}

/** Why a notification is not taken. `content-type` is worth a 415, everything else a 401. */
export type RejectionReason =
  | 'missing-header'
  | 'doubled-header'
  | 'content-type'
  | 'target'
  | 'timestamp-format'
  | 'timestamp-unit'
  | 'content-hash'
  | 'signature'
  | 'too-old'
  | 'too-far-ahead'
  | 'no-secret';

export type Verification =
  | {
      readonly ok: true;
      readonly timestampMs: number;
      readonly unit: TimestampUnit;
      /** Which of the secrets fitted. */
      readonly secretIndex: number;
    }
  | { readonly ok: false; readonly reason: RejectionReason; readonly header?: string };

const MINUTE = 60_000;
/** Exact, because the string to sign has no separators: a looser type lets a digit move over from the timestamp. */
const CONTENT_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
const TIMESTAMP = /^(?:\d{10}|\d{13})$/;
/** A request target is ASCII; other characters have no agreed bytes to sign. */
const TARGET = /^[\u0021-\u007e]+$/;

const sameText = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * Prepares the secrets once and gives the check for one notification: pure, synchronous, never throws.
 * Both checks of interface.md, "Authentication" 6, in constant time over header text, then the age of the timestamp.
 */
export function createNotificationVerifier(
  options: VerifierOptions,
): (received: ReceivedNotification) => Verification {
  const names = signatureHeaders(options.headerPrefix);
  const wanted = [names.contentType, names.contentSha256, names.timestamp, names.authorization];
  const keys: readonly (KeyObject | undefined)[] = options.secrets.map((secret) =>
    secret === '' ? undefined : createSecretKey(Buffer.from(secret)),
  );
  const { unit: wantedUnit = 'auto', maxAgeMs = 30 * MINUTE, maxAheadMs = 5 * MINUTE } = options;

  return ({ method, target, headers, body, nowMs }) => {
    if (keys.every((key) => key === undefined)) return { ok: false, reason: 'no-secret' };
    const values: string[] = [];
    for (const header of wanted) {
      const given = headers[header];
      const value = typeof given === 'object' && given.length < 2 ? given[0] : given;
      if (value === undefined || value === '') return { ok: false, reason: 'missing-header', header };
      if (typeof value !== 'string') return { ok: false, reason: 'doubled-header', header };
      values.push(value);
    }
    const [contentType = '', sha256 = '', timestamp = '', authorization = ''] = values;
    if (!CONTENT_TYPE.test(contentType)) return { ok: false, reason: 'content-type' };
    if (!TARGET.test(target)) return { ok: false, reason: 'target' };
    if (!TIMESTAMP.test(timestamp)) return { ok: false, reason: 'timestamp-format' };
    const unit = timestamp.length === 10 ? 's' : 'ms';
    if (wantedUnit !== 'auto' && wantedUnit !== unit) return { ok: false, reason: 'timestamp-unit' };
    if (!sameText(sha256, contentSha256(body))) return { ok: false, reason: 'content-hash' };
    const parts = { method, target, contentType, timestamp };
    const secretIndex = keys.findIndex(
      (key) => key !== undefined && sameText(authorization, authorizationOf(key, parts, sha256)),
    );
    if (secretIndex < 0) return { ok: false, reason: 'signature' };
    const timestampMs = Number(timestamp) * (unit === 's' ? 1000 : 1);
    if (nowMs - timestampMs > maxAgeMs) return { ok: false, reason: 'too-old' };
    if (timestampMs - nowMs > maxAheadMs) return { ok: false, reason: 'too-far-ahead' };
    return { ok: true, timestampMs, unit, secretIndex };
  };
}

/** One check with its options beside it; `createNotificationVerifier` is faster for many. Never throws. */
export const verifyNotification = (received: ReceivedNotification & VerifierOptions): Verification =>
  createNotificationVerifier(received)(received);
