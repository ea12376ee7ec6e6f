import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Reply } from './reply.ts';

/** A request as it came over the wire, its body read. */
export interface WireRequest {
  readonly method: string;
  /** Raw, before any query. */
  readonly path: string;
  /** Raw, without the question mark. */
  readonly search: string;
  readonly authorization: string | undefined;
  readonly contentLength: string | undefined;
  readonly body: string;
}

/** What goes back: an answer, one that breaks off in the middle, a reset, or nothing at all. */
export type WireAnswer =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'truncated'; readonly reply: Reply }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

const MAX_BODY_BYTES = 1024 * 1024;
/** Longer than clients keep theirs, so that none sends into a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Plain Node: the targets of this interface hold `%23`, raw `#` and long ids that routing frameworks alter or refuse. */
export function createWireServer(handle: (request: WireRequest) => WireAnswer | Promise<WireAnswer>): Server {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('error', () => response.destroy());
    request.on('end', () => {
      if (size > MAX_BODY_BYTES) write(response, tooLarge);
      else void answer(handle, read(request, chunks), response);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

const tooLarge: WireAnswer = {
  kind: 'reply',
  reply: { http: 413, contentType: 'text/plain', body: 'The body is larger than 1 MiB.', status: '' },
};

function read(request: IncomingMessage, chunks: readonly Buffer[]): WireRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const [first] = chunks;
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark + 1),
    authorization: request.headers.authorization,
    contentLength: request.headers['content-length'],
    body:
      first === undefined ? '' : chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString(),
  };
}

async function answer(
  handle: (request: WireRequest) => WireAnswer | Promise<WireAnswer>,
  request: WireRequest,
  response: ServerResponse,
): Promise<void> {
  try {
    const given = handle(request);
    write(response, given instanceof Promise ? await given : given);
  } catch (error) {
    const body = JSON.stringify({
      status: 'sandbox-bug',
      hint: error instanceof Error ? error.stack : String(error),
    });
    write(response, {
      kind: 'reply',
      reply: { http: 500, contentType: 'application/json', body, status: 'sandbox-bug' },
    });
  }
}

function write(response: ServerResponse, answer: WireAnswer): void {
  if (answer.kind === 'hang') return;
  if (answer.kind === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { http, contentType, body, headers } = answer.reply;
  const length = Buffer.byteLength(body);
  response.writeHead(http, { 'content-type': contentType, 'content-length': length, ...headers });
  if (answer.kind === 'reply') response.end(body);
  else response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
}
