import type { Agent, ClientRequest } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SandboxClock } from '../clock.ts';

/** One HTTP request to the callback. */
export interface Outgoing {
  readonly url: { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: number };
  readonly method: string;
  /** Path and query as they were signed. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type SendResult = { readonly status: number } | { readonly error: string };

/**
 * Sends once and reads the answer away; never rejects. `timeoutMs` runs on the sandbox's clock. A kept connection that
 * the receiver closed in the same moment is no attempt: it is sent again on a fresh one.
 */
export function sendOnce(
  outgoing: Outgoing,
  clock: SandboxClock,
  timeoutMs: number,
  agents: { readonly http: Agent; readonly https: Agent },
): { readonly result: Promise<SendResult>; readonly cancel: () => void } {
  let current: ClientRequest;
  const result = new Promise<SendResult>((resolve) => {
    const stopClock = clock.after(timeoutMs, () => current.destroy(new Error('timeout')));
    const finish = (value: SendResult): void => {
      stopClock();
      resolve(value);
    };
    const attempt = (): void => {
      const request = open(outgoing, agents);
      current = request;
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => finish({ status: response.statusCode ?? 0 }));
        response.on('error', (error: Error) => finish({ error: error.message }));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === 'ECONNRESET') attempt();
        else finish({ error: error.message });
      });
      request.end(outgoing.body);
    };
    attempt();
  });
  return { result, cancel: () => void current.destroy(new Error('sandbox closed')) };
}

function open(outgoing: Outgoing, agents: { readonly http: Agent; readonly https: Agent }): ClientRequest {
  const { protocol, host, port } = outgoing.url;
  const send = protocol === 'https' ? httpsRequest : httpRequest;
  return send({
    agent: agents[protocol],
    host: host.startsWith('[') ? host.slice(1, -1) : host,
    port,
    method: outgoing.method,
    path: outgoing.target,
    headers: {
      ...outgoing.headers,
      host: `${host}:${port}`,
      'content-length': String(Buffer.byteLength(outgoing.body)),
    },
  });
}
