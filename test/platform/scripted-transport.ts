import type { Transport, WireAnswer, WireRequest } from '../../src/platform/index.ts';

/** What comes back for a request: an answer, an error below HTTP, or nothing until the caller gives up. */
export type Scripted = WireAnswer | { readonly code: string } | 'hang';

export const json = (status: number, body: unknown): WireAnswer => ({
  status,
  contentType: 'application/json',
  location: '',
  text: JSON.stringify(body),
});

export const html = (status: number): WireAnswer => ({
  status,
  contentType: 'text/html',
  location: '',
  text: '<h1>gateway</h1>',
});

export const OK = json(200, { status: 'ok' });

/** Answers requests from a list; the last line stands for all that follow. */
export function scriptedTransport(script: readonly Scripted[]): Transport & { readonly sent: WireRequest[] } {
  const sent: WireRequest[] = [];
  return {
    sent,
    send(request, signal) {
      sent.push(request);
      const line = script[Math.min(sent.length, script.length) - 1] ?? 'hang';
      if (line === 'hang')
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        });
      return 'code' in line
        ? Promise.reject(Object.assign(new Error('network'), line))
        : Promise.resolve(line);
    },
    close: () => Promise.resolve(),
  };
}
