import fastify from 'fastify';
import type { Observable } from 'rxjs';
import type { Clock, Count, Readiness } from '../engine/ports.ts';
import { httpOrigin } from '../platform/http-origin.ts';
import { consoleToken, weaknessOf } from './console-token.ts';
import { createFeed } from './feed.ts';
import type { FeedItem } from './feed-item.ts';
import { createGate } from './gate.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface ConsoleSettings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  /** Further names under which it is reached, as a proxy in front of it has one. */
  readonly hosts?: readonly string[];
  readonly readiness: readonly Readiness[];
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  readonly feed$: Observable<FeedItem>;
  readonly clock: Clock;
  readonly count: Count;
  readonly heartbeatMs?: number;
}

export interface Console {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Open to probes, which have no token; they tell states and numbers, never content. */
const OPEN = new Set(['/healthz', '/readyz', '/metrics']);
const MOST_CONNECTIONS = 512;
/** A connection on which nothing moves for so long is cut. The feed's are not: they have a heartbeat. */
const SILENT_CONNECTION_MS = 70_000;
const EXISTS = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /feed (WebSocket, needs the token)'];

/**
 * The operator's listener. Throws `ConfigurationError` for an empty token, and what `listen` throws when the address is
 * taken.
 */
export async function createConsole(settings: ConsoleSettings): Promise<Console> {
  const { host, port, token, hosts = [], readiness, metrics, clock } = settings;
  const isToken = consoleToken(token);
  const gate = createGate({
    isToken,
    unguessable: weaknessOf(token) === undefined,
    names: [host, ...hosts],
    clock,
  });
  const app = fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    requestTimeout: 10_000,
    connectionTimeout: SILENT_CONNECTION_MS,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  // Before fastify, which answers some requests without asking its hooks.
  app.server.prependListener('request', (_request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  });

  app.addHook('onRequest', async ({ raw }, reply) => {
    const path = raw.url?.split('?', 1)[0] ?? '';
    const refusal = OPEN.has(path) ? undefined : gate(raw);
    if (refusal)
      await reply
        .code(refusal.status)
        .headers(refusal.headers ?? {})
        .send({ error: refusal.message });
  });

  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', (_request, reply) => {
    const sources = readiness.map((source) => {
      const { name } = source;
      const reason = source.reason();
      return reason === undefined ? { name, ready: true } : { name, ready: false, reason };
    });
    const ready = sources.every((source) => source.ready);
    return reply.code(ready ? 200 : 503).send({ ready, sources });
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  app.get('/feed', (_request, reply) =>
    reply
      .code(426)
      .header('upgrade', 'websocket')
      .send({ error: 'The feed is a WebSocket: ask for an upgrade.' }),
  );
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'Nothing is here.', exists: EXISTS }),
  );

  const feed = createFeed({ ...settings, gate, isToken });
  app.server.on('upgrade', feed.upgrade);
  try {
    await app.listen({ host, port });
  } catch (error) {
    feed.close();
    throw error;
  }
  const address = app.server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  return {
    url: httpOrigin(host, taken),
    port: taken,
    async close() {
      feed.close();
      await app.close();
    },
  };
}
