import type { IncomingMessage } from 'node:http';
import type { Allowance } from './allowance.ts';

/**
 * The bytes of a body as they came over the wire, whatever the method; `too-large` past `maxBytes`, `no-room` where the
 * listener as a whole holds too much, `broken` if cut off.
 */
export type BodyReading = Buffer | 'too-large' | 'no-room' | 'broken';

const NOTHING = Buffer.alloc(0);

/**
 * Reads at most `maxBytes`, and no more than `allowance` grants; a `declared` length above `maxBytes` is not read at
 * all. What was granted is the caller's to give back. Never rejects.
 */
export function readBody(
  request: IncomingMessage,
  of: { readonly declared: number; readonly maxBytes: number; readonly allowance: Allowance },
): Promise<BodyReading> {
  const { declared, maxBytes, allowance } = of;
  if (declared > maxBytes) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    let bytes = 0;
    const stop = (reading: 'too-large' | 'no-room'): void => {
      request.removeAllListeners('data');
      request.pause();
      resolve(reading);
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return stop('too-large');
      if (!allowance.take(chunk.length)) return stop('no-room');
      if (first === undefined) first = chunk;
      else (more ??= [first]).push(chunk);
    });
    request.once('end', () => resolve(more === undefined ? (first ?? NOTHING) : Buffer.concat(more, bytes)));
    // Also when it was cut off: without a listener for errors Node tells of that here only.
    request.once('close', () => resolve('broken'));
  });
}
