import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from './gate.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Answers an upgrade that is not to be, and closes. */
export function refuseUpgrade(socket: Duplex, { status, message, headers }: Refusal): void {
  const body = JSON.stringify({ error: message });
  const lines = Object.entries({ ...SECURITY_HEADERS, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.on('error', () => socket.destroy()); // the client may be gone already, which is all right
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...lines,
      '',
      body,
    ].join('\r\n'),
  );
}
