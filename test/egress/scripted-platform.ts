import { createPlatformClient, type Transport, type WireRequest } from '../../src/platform/index.ts';

/** What the platform answers to one request; a text is the code of a broken connection. */
export type Answer = { readonly status: number; readonly json?: object; readonly text?: string } | string;

/** The real client on a scripted wire: what it sent is kept, what it hears is given. */
export function scriptedPlatform(answer: (request: WireRequest, nth: number) => Answer) {
  const requests: { readonly method: string; readonly target: string; readonly body: unknown }[] = [];
  const transport: Transport = {
    async send(request) {
      requests.push({
        method: request.method,
        target: decodeURIComponent(request.target),
        body: request.body === null ? null : JSON.parse(request.body),
      });
      const given = answer(request, requests.length - 1);
      if (typeof given === 'string') throw Object.assign(new Error('broken'), { code: given });
      const isJson = given.json !== undefined;
      return {
        status: given.status,
        contentType: isJson ? 'application/json' : 'text/html',
        location: '',
        text: isJson ? JSON.stringify(given.json) : (given.text ?? ''),
      };
    },
    close: () => Promise.resolve(),
  };
  const client = createPlatformClient({
    baseUrl: 'http://127.0.0.1:1',
    applicationId: 'demo',
    secret: 'canary-secret',
    transport,
  });
  return { client, requests };
}

export const says = (status: number, text: string, more: object = {}): Answer => ({
  status,
  json: { status: text, ...more },
});

export const message = (messageId: string, more: object = {}) => ({
  messageId,
  timestamp: 1_800_000_000_000,
  deletedTimestamp: 0,
  from: { screenName: 'House', role: 'Moderator', lastUpdate: 1_800_000_000_000 },
  mimeType: 'text/plain',
  message: 'hello',
  tags: [],
  ...more,
});
