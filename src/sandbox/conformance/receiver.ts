import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A notification as it came over the wire. */
export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Listens on loopback for notifications; `status` says what each is answered with. */
export async function startReceiver(status: (nth: number) => number): Promise<{
  readonly port: number;
  readonly received: readonly Received[];
  readonly close: () => Promise<void>;
}> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, target: url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status(received.length)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has an address with a port
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, received, close };
}
