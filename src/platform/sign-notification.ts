import { createHmac, hash, type KeyObject } from 'node:crypto';
import { signatureHeaders } from './header-names.ts';

/** What the signature covers besides the body's hash: texts exactly as they go over the wire. */
export interface SignedParts {
  readonly method: string;
  /** Path with query as in the request line; rebuilding it with `URL` rewrites it and breaks the signature. */
  readonly target: string;
  readonly contentType: string;
  readonly timestamp: string;
}

export const contentSha256 = (body: Uint8Array | string): string => hash('sha256', body, 'base64');

/** `HMAC-SHA256 <base64>` over method, target, hash, media type and timestamp, joined by nothing. */
export const authorizationOf = (secret: string | KeyObject, parts: SignedParts, sha256: string): string =>
  `HMAC-SHA256 ${createHmac('sha256', secret)
    .update(parts.method + parts.target + sha256 + parts.contentType + parts.timestamp)
    .digest('base64')}`;

/**
 * The headers that a sender puts on a notification (interface.md, "Authentication" 6), by lower-case name. `timestamp`
 * is UNIX time as text, in seconds or milliseconds: the interface does not show which.
 */
export function signNotification(
  notification: SignedParts & {
    readonly secret: string;
    /** The bytes on the wire; empty for GET. */
    readonly body: Uint8Array | string;
    /** `X-Service` when absent. */
    readonly headerPrefix?: string;
  },
): Record<string, string> {
  const names = signatureHeaders(notification.headerPrefix);
  const sha256 = contentSha256(notification.body);
  return {
    [names.authorization]: authorizationOf(notification.secret, notification, sha256),
    [names.contentType]: notification.contentType,
    [names.contentSha256]: sha256,
    [names.timestamp]: notification.timestamp,
  };
}
