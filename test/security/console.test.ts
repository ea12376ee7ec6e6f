import { request } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { createConsole, type Console } from '../../src/console/console.ts';
import type { FeedItem } from '../../src/console/feed-item.ts';
import { createWrongTokens } from '../../src/console/wrong-tokens.ts';
import { parseConfiguration } from '../../src/daemon/configuration.ts';
import { ConfigurationError } from '../../src/errors.ts';
import { virtualClock, type VirtualClock } from '../egress/virtual-clock.ts';

const TOKEN = 'the-right-token-0123456789';
const right = { authorization: `Bearer ${TOKEN}` };
const wrong = { authorization: 'Bearer a-guess' };

/** Long enough for a console on this machine alone. */
const SHORT = 'short-token';

let console: Console;
let clock: VirtualClock;
const openConsole = (token: string): Promise<Console> =>
  createConsole({
    host: '127.0.0.1',
    port: 0,
    token,
    hosts: ['usher.example'],
    readiness: [],
    metrics: { contentType: 'text/plain', text: () => Promise.resolve('usher_up 1\n') },
    feed$: new Subject<FeedItem>(),
    clock,
    count() {},
  });
beforeEach(async () => {
  clock = virtualClock();
  console = await openConsole(TOKEN);
});
afterEach(() => console.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** As `fetch`, with any Host and from any address of this machine. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  { from = '127.0.0.1', method = 'GET' } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: console.port, path, method, headers, localAddress: from },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    asked.on('error', reject);
    asked.end();
  });

/** The status that an upgrade is refused with; 101 where it is not. */
const upgrade = async (options: ClientOptions, protocols: string[] = []): Promise<number> => {
  const socket = new WebSocket(`ws://127.0.0.1:${console.port}/feed`, protocols, options);
  return new Promise((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => resolve(0));
  }).finally(() => socket.terminate()) as Promise<number>; // resolved with numbers only
};

describe('guessing the token', () => {
  const guess = async (times: number, from?: string): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1)
      statuses.push((await ask('/api', wrong, from ? { from } : {})).status);
    return statuses;
  };

  test('is slowed after ten tries, with the time to wait, and goes on after it', async () => {
    expect(await guess(10)).toEqual(Array(10).fill(401));
    const refused = await ask('/api', wrong);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBe(6);
    await clock.advance(6_000);
    expect((await ask('/api', wrong)).status).toBe(401);
  });

  test('does not keep out the right token, that nobody guesses, of others behind the same proxy', async () => {
    await guess(30);
    expect((await ask('/api', right)).status).toBe(404);
    expect(await upgrade({ headers: right })).toBe(101);
    expect((await ask('/api', wrong)).status).toBe(429);
  });

  test('of a short token has to wait like all: else a guess would be told from the right one', async () => {
    await console.close();
    console = await openConsole(SHORT);
    await guess(11);
    expect((await ask('/api', { authorization: `Bearer ${SHORT}` })).status).toBe(429);
    await clock.advance(6_000);
    expect((await ask('/api', { authorization: `Bearer ${SHORT}` })).status).toBe(404);
  });

  test('locks nobody out who comes from elsewhere, nor the probes', async () => {
    await guess(11);
    expect((await ask('/api', right, { from: '127.0.0.2' })).status).toBe(404);
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask(path)).status).toBe(200);
  });

  test('by WebSocket counts as well, and a list of guesses is one', async () => {
    expect(await upgrade({}, ['guess-1', 'guess-2', 'guess-3', 'guess-4', TOKEN])).toBe(401);
    await guess(9);
    expect(await upgrade({ headers: wrong })).toBe(429);
    expect((await ask('/api', wrong)).status).toBe(429);
  });

  test('needs a token: asking without one is no guess', async () => {
    for (let time = 0; time < 30; time += 1) expect((await ask('/api')).status).toBe(401);
    expect((await ask('/api', right)).status).toBe(404);
  });
});

describe('the memory of wrong tokens', () => {
  const TRIES = 10;
  const blocked = (addresses: readonly string[], asked: string): boolean => {
    const tokens = createWrongTokens(virtualClock());
    for (const address of addresses) tokens.add(address);
    return tokens.waitMs(asked) > 0;
  };

  test('knows an IPv6 host by its network, and an IPv4 host in either spelling', () => {
    const tenOf = (address: (index: number) => string): string[] =>
      Array.from({ length: TRIES }, (_, index) => address(index));
    expect(
      blocked(
        tenOf((index) => `2001:db8:1:2::${index}`),
        '2001:db8:1:2:3:4:5:6',
      ),
    ).toBe(true);
    expect(
      blocked(
        tenOf((index) => `2001:db8:1:2::${index}`),
        '2001:db8:1:3::1',
      ),
    ).toBe(false);
    expect(
      blocked(
        tenOf((index) => `2001:db8:1:${index}::1`),
        '2001:db8:1:1::1',
      ),
    ).toBe(false);
    expect(
      blocked(
        tenOf(() => '::ffff:192.0.2.1'),
        '192.0.2.1',
      ),
    ).toBe(true);
    expect(
      blocked(
        tenOf(() => '192.0.2.1'),
        '192.0.2.2',
      ),
    ).toBe(false);
  });

  test('has an end: who was quiet for longest is forgotten', () => {
    const first = Array.from({ length: TRIES }, () => '10.0.0.1');
    const others = Array.from(
      { length: 10_000 },
      (_, index) => `10.1.${Math.floor(index / 250)}.${index % 250}`,
    );
    expect(blocked([...first, ...others.slice(1)], '10.0.0.1')).toBe(true);
    expect(blocked([...first, ...others], '10.0.0.1')).toBe(false);
  });
});

describe('a page elsewhere', () => {
  test.each<[string, string, number]>([
    ['its address', '127.0.0.1', 101],
    ['localhost', 'localhost:8082', 101],
    ['IPv6', '[::1]:8082', 101],
    ['a name of its configuration', 'Usher.Example:443', 101],
    ['a name that was pointed here', 'rebound.example', 421],
    ['a name that looks like ours', 'usher.example.evil.example', 421],
    ['an address within a name', '127.0.0.1.evil.example', 421],
    ['a user before the name', 'usher.example@evil.example', 421],
  ])('called by %s', async (_, host, status) => {
    expect(await upgrade({ headers: { ...right, host } })).toBe(status);
    expect((await ask('/api', { ...right, host })).status).toBe(status === 101 ? 404 : status);
  });

  test.each<[string, string, number]>([
    ['the console itself', 'http://usher.example', 101],
    ['another site', 'https://evil.example', 403],
    ['another port of this machine', 'http://usher.example:1', 403],
    ['nowhere', 'null', 403],
    ['a file', 'file://', 403],
  ])('of %s', async (_, origin, status) => {
    const headers = { ...right, host: 'usher.example', origin };
    expect(await upgrade({ headers })).toBe(status);
    expect((await ask('/api', headers)).status).toBe(status === 101 ? 404 : status);
  });
});

describe('every answer', () => {
  const paths = [
    '/healthz',
    '/readyz',
    '/metrics',
    '/',
    '/feed',
    '/api',
    '/%zz',
    '/\u00e9',
    `/${'x'.repeat(9_000)}`,
  ];
  test.each(paths.flatMap((path) => [[path, {}] as const, [path, right] as const]))(
    'to %s with %j is kept by nobody, framed nowhere and of the type that it says',
    async (path, headers) => {
      const answer = await ask(encodeURI(path).replace('%25zz', '%zz'), headers);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
      expect(answer.text).not.toContain(TOKEN);
    },
  );

  test('to an upgrade that is refused as well', async () => {
    const socket = connect(console.port, '127.0.0.1').setEncoding('latin1');
    socket.write(
      'GET /feed HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    const [text] = (await once(socket, 'data')) as [string];
    expect(text).toMatch(/^HTTP\/1\.1 401 [^]*x-content-type-options: nosniff/i);
  });

  test('is refused where the token stands in the address, right or wrong', async () => {
    expect((await ask(`/api?token=${TOKEN}`)).status).toBe(401);
    expect((await ask(`/api?access_token=${TOKEN}`, right)).status).toBe(400);
    expect((await ask(`/feed?token=${TOKEN}`, right)).status).toBe(400);
  });

  test('is given whatever the method, and no other than GET does anything', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      for (const path of ['/healthz', '/metrics', '/feed'])
        expect([401, 404]).toContain((await ask(path, {}, { method })).status);
  });
});

describe('a console that other machines reach', () => {
  const findings = (host: string, token: string): readonly string[] => {
    const text = `platform: {baseUrl: "http://127.0.0.1:1", applicationId: demo, secret: s3cr3t}\nconsole: {host: "${host}", token: "${token}"}\n`;
    try {
      parseConfiguration(text, { file: '/etc/usher.yaml', shown: 'usher.yaml', environment: {} });
    } catch (error) {
      if (error instanceof ConfigurationError) return error.findings;
      throw error;
    }
    return [];
  };

  test('does not start with a token that can be guessed; the finding does not tell it', () => {
    const found = findings('0.0.0.0', 'canary');
    expect(found).toEqual([expect.stringMatching(/^usher\.yaml:2:\d+ console\.token: too easy to guess/)]);
    expect(found.join()).not.toContain('canary');
    expect(findings('0.0.0.0', TOKEN)).toEqual([]);
  });

  test('is none by itself: it listens on this machine, where a short token is the owner’s choice', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1']) expect(findings(host, 'short')).toEqual([]);
  });
});
