import * as http from 'node:http';
import * as https from 'node:https';
import { AnswerTooLargeError } from './transport-fault.ts';
import type { Transport, WireAnswer } from './transport.ts';

const headerText = (value: string | undefined): string => value ?? '';

async function readAnswer(response: http.IncomingMessage, maxBytes: number): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    // no encoding is set, so a response yields buffers
    size += chunk.length;
    if (size > maxBytes) {
      response.destroy();
      throw new AnswerTooLargeError(`more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const { 'content-type': contentType, location } = response.headers;
  return {
    status: response.statusCode ?? 0,
    contentType: headerText(contentType),
    location: headerText(location),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/**
 * Sends DELETE with `Content-Length: 0` through node's own client (interface.md, endpoints 12, 21, 28): undici leaves the
 * header away even when it is told to send it. Each gets a connection of its own: they are rare, and on a kept one that
 * the platform has just closed a request would be in doubt.
 */
export function createEmptyDelete(origin: URL, maxResponseBytes: number): Transport {
  const { request, Agent } = origin.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: false });
  const underWay = new Set<Promise<unknown>>();
  const to = {
    agent,
    // node wants an IPv6 address without the brackets of a URL
    host: origin.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(origin.port === '' ? {} : { port: origin.port }),
  };

  const send: Transport['send'] = ({ method, target, headers }, signal) =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        { ...to, method, path: target, headers: { ...headers, 'content-length': '0' }, signal },
        (response) => {
          readAnswer(response, maxResponseBytes).then(resolve, reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });

  return {
    async send(wire, signal) {
      const answer = send(wire, signal);
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      agent.destroy();
    },
  };
}
