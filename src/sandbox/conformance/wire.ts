import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** An answer as it came, whatever it is. */
export interface Answer {
  readonly http: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body when it is JSON by media type and by itself, else undefined. */
  readonly json: unknown;
}

/** Sends exactly this, follows no redirect, and rejects only when no answer comes. */
export function send(
  method: string,
  address: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly timeoutMs: number;
  },
): Promise<Answer> {
  const body = options.body ?? '';
  const mark = address.indexOf('/', address.indexOf('://') + 3);
  const origin = new URL(mark < 0 ? address : address.slice(0, mark));
  const sends = origin.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = sends({
      agent: false,
      hostname: origin.hostname.replace(/^\[|\]$/g, ''),
      port: origin.port === '' ? undefined : origin.port,
      method,
      path: mark < 0 ? '/' : address.slice(mark),
      headers: { ...options.headers, 'content-length': String(Buffer.byteLength(body)) },
      timeout: options.timeoutMs,
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${options.timeoutMs} ms`)));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        resolve({
          http: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? parsed(text) : undefined,
        });
      });
    });
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a check that wants JSON says what came instead
  }
}
