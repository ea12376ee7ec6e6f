import { createHash, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';

/** True iff the text is the console's token; how long that takes tells nothing of the token, its length included. */
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

/** What is wrong with a token that other machines may try; undefined for one that nobody guesses. */
export const weaknessOf = (token: string): string | undefined =>
  token.length < LEAST_CHARACTERS || new Set(token).size < LEAST_DIFFERENT
    ? `too easy to guess for a console that other machines reach: use ${LEAST_CHARACTERS} random characters or more, like the output of "openssl rand -base64 24"`
    : undefined;
const LEAST_CHARACTERS = 16;
const LEAST_DIFFERENT = 8;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token in an `Authorization: Bearer …` header; undefined where there is none. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];

const CARRIER = 'usher.token.';
/** More protocols than any client of ours offers: a header full of guesses stays a few. */
const MOST_OFFERED = 4;

/**
 * What may be the token among the subprotocols that a WebSocket client offers: each itself, or as
 * `usher.token.<base64url>` where it has characters that a subprotocol may not have. A browser can send no other header.
 */
export const offeredTokens = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',', MOST_OFFERED)
    .map((name) => tokenOf(name.trim()))
    .filter((token) => token !== '');

/** The subprotocol to answer with: a client that offered some wants one of them back, preferably not its token. */
export const answeredProtocol = (offered: ReadonlySet<string>, isToken: IsToken): string | false =>
  [...offered].find((name) => !isToken(tokenOf(name))) ?? [...offered][0] ?? false;

const tokenOf = (name: string): string =>
  name.startsWith(CARRIER) ? Buffer.from(name.slice(CARRIER.length), 'base64url').toString() : name;
