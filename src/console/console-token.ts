import { createHash, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';

/** True iff the text is the console's token; takes the same time whatever the text, its length included. */
export type IsToken = (text: string) => boolean;

/** Throws `ConfigurationError` for an empty token: it would open the console to everybody. */
export function consoleToken(token: string): IsToken {
  if (token.trim() === '')
    throw new ConfigurationError([
      'console.token: the token is empty, which would open the console to everybody: set one.',
    ]);
  const expected = digest(token);
  return (text) => timingSafeEqual(digest(text), expected);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token in an `Authorization: Bearer …` header; undefined where there is none. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];

const CARRIER = 'usher.token.';

/**
 * The token among the subprotocols that a WebSocket client offers: itself, or as `usher.token.<base64url>` where it has
 * characters that a subprotocol may not have. A browser can send no other header.
 */
export const offeredToken = (protocols: readonly string[], isToken: IsToken): string | undefined =>
  protocols.find((offered) =>
    isToken(
      offered.startsWith(CARRIER)
        ? Buffer.from(offered.slice(CARRIER.length), 'base64url').toString()
        : offered,
    ),
  );
