import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly received: Received[];
  /** Connections that were opened. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export type Respond = (response: ServerResponse, request: Received) => void;

/** A real HTTP server on the loopback that notes what comes and answers as told. */
export async function scriptedServer(respond: Respond): Promise<ScriptedServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const note = { method, target, headers, body: Buffer.concat(chunks).toString() };
      received.push(note);
      respond(response, note);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export const respondJson =
  (status: number, body: unknown): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
