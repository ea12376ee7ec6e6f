import { Pool } from 'undici';
import { createEmptyDelete } from './empty-delete.ts';
import { TransportClosedError } from './transport-fault.ts';
import type { Transport } from './transport.ts';

export interface PoolTransportOptions {
  /** Sockets kept open at most; further requests wait for one. */
  readonly connections: number;
  /** A connection that takes longer than this has provably carried nothing. Ms. */
  readonly connectMs: number;
  readonly maxResponseBytes: number;
}

const first = (value: string | string[] | undefined): string =>
  typeof value === 'object' ? (value[0] ?? '') : (value ?? '');

/** Requests over kept-alive connections to one origin; redirects are never followed. Deadlines are the caller's. */
export function createPoolTransport(origin: URL, options: PoolTransportOptions): Transport {
  const pool = new Pool(origin.origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: options.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: options.maxResponseBytes,
  });
  const emptyDelete = createEmptyDelete(origin, options.maxResponseBytes);
  let closing: Promise<unknown> | undefined;
  return {
    async send(request, signal) {
      if (closing !== undefined) throw new TransportClosedError('closed');
      if (request.emptyBody) return emptyDelete.send(request, signal);
      const { method, target: path, headers, body } = request;
      const answer = await pool.request({ method, path, headers, body, signal });
      return {
        status: answer.statusCode,
        contentType: first(answer.headers['content-type']),
        location: first(answer.headers.location),
        text: await answer.body.text(),
      };
    },
    async close() {
      closing ??= Promise.all([pool.close(), emptyDelete.close()]);
      await closing;
    },
  };
}
