import type { IncomingMessage } from 'node:http';

/** The bytes of a body as they came over the wire, whatever the method; `too-large` past `maxBytes`, `broken` if cut off. */
export type BodyReading = Buffer | 'too-large' | 'broken';

const NOTHING = Buffer.alloc(0);

/** Reads at most `maxBytes`; a `declared` length above it is not read at all. Never rejects. */
export function readBody(
  request: IncomingMessage,
  { declared, maxBytes }: { readonly declared: number; readonly maxBytes: number },
): Promise<BodyReading> {
  if (declared > maxBytes) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.removeAllListeners('data');
        request.pause();
        resolve('too-large');
      } else if (first === undefined) first = chunk;
      else (more ??= [first]).push(chunk);
    });
    request.once('end', () => resolve(more === undefined ? (first ?? NOTHING) : Buffer.concat(more, bytes)));
    // Also when it was cut off: without a listener for errors Node tells of that here only.
    request.once('close', () => resolve('broken'));
  });
}
