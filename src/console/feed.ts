import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Observable } from 'rxjs';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock, Count } from '../engine/ports.ts';
import { answeredProtocol, type IsToken } from './console-token.ts';
import { feedClient, type FeedClient } from './feed-client.ts';
import { feedLine, type FeedItem } from './feed-item.ts';
import type { Gate, Refusal } from './gate.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

export interface FeedSettings {
  readonly feed$: Observable<FeedItem>;
  readonly gate: Gate;
  readonly isToken: IsToken;
  readonly clock: Clock;
  readonly count: Count;
  readonly heartbeatMs?: number;
  readonly maxClients?: number;
}

export interface Feed {
  /** For the server's `upgrade` event. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly clients: () => number;
  close(): void;
}

/** Nothing that a client sends is read; this is room for control frames. */
const MOST_INCOMING_BYTES = 1_024;

/** Events and outcomes as they pass, over ws, to whoever has the token. */
export function createFeed(settings: FeedSettings): Feed {
  const { feed$, gate, isToken, clock, count } = settings;
  const heartbeatMs = settings.heartbeatMs ?? 30_000;
  const maxClients = settings.maxClients ?? 100;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_INCOMING_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => answeredProtocol(offered, isToken),
  });
  const clients = new Map<WebSocket, { readonly queue: FeedClient; alive: boolean }>();

  const subscription = feed$.subscribe({
    next(item) {
      if (clients.size === 0) return;
      const line = feedLine(item);
      for (const { queue } of clients.values()) queue.push(line);
    },
    error() {
      for (const socket of clients.keys()) socket.close(1011, 'the feed failed');
    },
  });

  let cancelBeat: () => void = () => {};
  const beat = () => {
    for (const [socket, client] of clients) {
      if (!client.alive) socket.terminate();
      client.alive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    cancelBeat = clock.after(heartbeatMs, beat);
  };
  cancelBeat = clock.after(heartbeatMs, beat);

  const welcome = (socket: WebSocket) => {
    const client = { queue: feedClient(socket), alive: true };
    clients.set(socket, client);
    count('feed clients');
    socket.on('pong', () => (client.alive = true));
    socket.on('close', () => clients.delete(socket));
    // A broken client is its own problem: `close` follows.
    socket.on('error', () => socket.terminate());
  };

  const refusalOf = (request: IncomingMessage, url: string): Refusal | undefined => {
    if (url.includes('?'))
      return { status: 400, message: 'No query here: a token in an address ends in logs and histories.' };
    const refusal = gate(request);
    if (refusal) return refusal;
    if (url !== '/feed') return { status: 404, message: 'Only /feed speaks WebSocket.' };
    if (clients.size >= maxClients) return { status: 503, message: 'Too many clients follow the feed.' };
    return undefined;
  };

  return {
    upgrade(request, socket, head) {
      const refusal = refusalOf(request, request.url ?? '');
      if (refusal) refuseUpgrade(socket, refusal);
      else server.handleUpgrade(request, socket, head, welcome);
    },
    clients: () => clients.size,
    close() {
      subscription.unsubscribe();
      cancelBeat();
      for (const socket of clients.keys()) {
        socket.close(1001, 'usher stops');
        socket.terminate();
      }
      server.close();
    },
  };
}
