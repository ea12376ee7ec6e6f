import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Clock } from '../engine/ports.ts';
import { isLoopback } from '../platform/loopback.ts';
import { bearerOf, type IsToken, offeredTokens } from './console-token.ts';
import { createWrongTokens } from './wrong-tokens.ts';

/** Why somebody is not let in: an HTTP status, a message that tells what to do, and headers. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined for who may come in. */
export type Gate = (request: IncomingMessage) => Refusal | undefined;

/**
 * Who may see more than the probes: whoever asks for this console by a name of its own (a page elsewhere whose name was
 * pointed here cannot), comes from no other site, and shows the token. Wrong tokens are counted by address.
 */
export function createGate(of: {
  readonly isToken: IsToken;
  /** Nobody can guess it, so whoever shows it need not wait for others who guess from the same address (a proxy's). */
  readonly unguessable: boolean;
  /** Names beside `localhost` and plain addresses under which the console is reached. */
  readonly names: readonly string[];
  readonly clock: Clock;
}): Gate {
  const { isToken, unguessable, clock } = of;
  const names = new Set(of.names.map((name) => name.toLowerCase()));
  const wrong = createWrongTokens(clock);

  return (request) => {
    const { headers, socket, url = '' } = request;
    const host = hostOf(headers.host);
    if (host === undefined || !(isIP(bare(host)) > 0 || isLoopback(host) || names.has(host)))
      return {
        status: 421,
        message:
          'This console is not known by that name: call it by its address, or add the name to console.hosts.',
      };
    const { origin } = headers;
    if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === headers.host))
      return { status: 403, message: 'Another origin has no business here.' };
    const bearer = bearerOf(headers.authorization);
    const shown = [
      ...(bearer === undefined ? [] : [bearer]),
      ...offeredTokens(headers['sec-websocket-protocol']),
    ];
    if (shown.length === 0) return NO_TOKEN;
    const isRight = shown.some((token) => isToken(token));
    const waitMs = wrong.waitMs(socket.remoteAddress);
    if (waitMs > 0 && !(isRight && unguessable))
      return {
        status: 429,
        message: 'Too many wrong tokens came from your address: wait, then send the right one.',
        headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
      };
    if (!isRight) {
      wrong.add(socket.remoteAddress);
      return NO_TOKEN;
    }
    return /[?&][^=&]*token[^=&]*=/i.test(url) ? TOKEN_IN_ADDRESS : undefined;
  };
}

const NO_TOKEN: Refusal = {
  status: 401,
  message:
    'The token is missing or wrong: send it as `Authorization: Bearer`, never in the address; a WebSocket may offer it as a subprotocol.',
  headers: { 'www-authenticate': 'Bearer' },
};

const TOKEN_IN_ADDRESS: Refusal = {
  status: 400,
  message: 'No token in the address, where logs and histories keep it: the header is enough.',
};

const hostOf = (header: string | undefined): string | undefined =>
  /^(\[[\da-f:.]+\]|[^:[\]/@]+)(?::\d+)?$/i.exec(header ?? '')?.[1]?.toLowerCase();

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');
