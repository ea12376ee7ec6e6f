import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendNotice } from '../../src/egress/deeds/send-notice.ts';
import type { Fate } from '../../src/egress/fate.ts';
import { kindOfAddress } from '../../src/egress/notice-addresses.ts';
import { createNoticeDispatcher } from '../../src/egress/notice-dispatcher.ts';
import { action } from '../egress/actions.ts';

let port = 0;
let asked: IncomingMessage[] = [];
let looked: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => {
  asked.push(request);
  answer(request, response);
});
beforeEach(async () => {
  asked = [];
  looked = [];
  answer = (_request, response) => response.end('ok');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port; // a TCP listener's address
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Names and where they lead; a name with several lists of addresses leads elsewhere each time it is asked for. */
type Names = Readonly<Record<string, readonly (readonly string[])[]>>;

async function notify(
  webhook: string,
  {
    allowPrivate = false,
    names = {},
    withinMs = 5_000,
  }: { allowPrivate?: boolean; names?: Names; withinMs?: number } = {},
): Promise<Fate> {
  const notices = createNoticeDispatcher({
    allowPrivate,
    resolve(name, found) {
      const time = looked.filter((one) => one === name).length;
      looked.push(name);
      const addresses = names[name]?.[time] ?? names[name]?.at(-1);
      // As the system's resolver does: an error alone.
      if (!addresses) return found(Object.assign(new Error('nowhere'), { code: 'ENOTFOUND' }));
      found(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  });
  const deed = sendNotice(action('notify.send', 'n'), { webhookOf: () => webhook, notices });
  const fate = await deed.call({
    signal: AbortSignal.timeout(withinMs),
    deadlineMs: withinMs,
    token: () => Promise.resolve(),
  });
  expect(JSON.stringify(fate)).not.toContain('canary');
  return fate;
}

const here = (host: string): string => `http://${host}:${port}/canary`;
const refused = { kind: 'failed', detail: expect.stringMatching(/not called: .*(allowPrivate|https)/) };

describe('what an address leads to', () => {
  test.each([
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1:248:1893:25c8:1946', 'public'],
    ['::ffff:93.184.216.34', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['169.254.169.254', 'never'],
    ['::ffff:169.254.169.254', 'never'],
    ['100.100.100.200', 'never'],
    ['fd00:ec2::254', 'never'],
    ['fe80::1', 'never'],
    ['fe80::1%eth0', 'never'],
    ['0.0.0.0', 'never'],
    ['::', 'never'],
    ['::127.0.0.1', 'never'],
    ['64:ff9b::a9fe:a9fe', 'never'],
    ['2002:7f00:1::', 'never'],
    ['2001:0:7f00:1::', 'never'],
    ['224.0.0.1', 'never'],
    ['255.255.255.255', 'never'],
    ['ff02::1', 'never'],
    ['no address', 'never'],
    ['', 'never'],
  ] as const)('%s: %s', (address, kind) => expect(kindOfAddress(address)).toBe(kind));
});

describe('a notice', () => {
  test('reaches this machine by its own name or address, with nothing but its words', async () => {
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await notify(here(host), { names: { localhost: [['127.0.0.1']] } })).toMatchObject({
        kind: 'done',
      });
    expect(asked).toHaveLength(2);
    for (const { headers } of asked)
      expect(Object.keys(headers).sort()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'host',
        'idempotency-key',
      ]);
  });

  test.each([
    ['a private address', 'http://10.0.0.1/canary'],
    ['a metadata service', 'http://169.254.169.254/latest/canary'],
    ['a metadata service over TLS', 'https://169.254.169.254/latest/canary'],
    ['an address in hex', 'http://0xa9fea9fe/canary'],
    ['an address as one number', 'http://2852039166/canary'],
    ['an address in octal', 'http://0251.0376.0251.0376/canary'],
    ['an address in IPv6', 'http://[::ffff:a9fe:a9fe]/canary'],
    ['this machine in disguise', 'http://[::ffff:127.0.0.1]/canary'],
    ['every address', 'http://0.0.0.0/canary'],
    ['a private network over TLS', 'https://192.168.0.1/canary'],
    ['the world by plain HTTP', 'http://93.184.216.34/canary'],
  ])('to %s is not sent', async (_, webhook) => {
    expect(await notify(webhook)).toMatchObject(refused);
    expect(looked).toEqual([]);
  });

  test.each([
    ['this machine', ['127.0.0.1']],
    ['this machine in IPv6', ['::1']],
    ['a private address', ['10.1.2.3']],
    ['a metadata service', ['169.254.169.254']],
    ['a public and a private address', ['93.184.216.34', '10.1.2.3']],
  ])('to a name that leads to %s is not sent, whatever the protocol', async (_, addresses) => {
    const names = { 'inside.example': [addresses] };
    for (const protocol of ['http', 'https'])
      expect(await notify(`${protocol}://inside.example:${port}/canary`, { names })).toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  test('to a name is sent to the address that was looked at: it is not looked up again', async () => {
    const names = { 'rebound.example': [['127.0.0.1'], ['169.254.169.254']] };
    expect(await notify(here('rebound.example'), { names, allowPrivate: true })).toMatchObject({
      kind: 'done',
    });
    expect(looked).toEqual(['rebound.example']);
    // The next one is looked up anew, and refused.
    looked = [];
    expect(
      await notify(here('rebound.example'), {
        names: { 'rebound.example': [['169.254.169.254']] },
        allowPrivate: true,
      }),
    ).toMatchObject(refused);
  });

  test('to a name that only sounds like this machine is looked at like any other', async () => {
    expect(
      await notify(here('evil.localhost'), { names: { 'evil.localhost': [['10.0.0.1']] } }),
    ).toMatchObject(refused);
    expect(
      await notify(here('127.0.0.1.evil.example'), { names: { '127.0.0.1.evil.example': [['127.0.0.1']] } }),
    ).toMatchObject(refused);
  });

  test('into a private network needs the operator’s word, and metadata stays out of reach with it', async () => {
    const names = {
      'pager.lan': [['127.0.0.1']],
      'meta.lan': [['169.254.169.254']],
      'world.example': [['93.184.216.34']],
    };
    expect(await notify(here('pager.lan'), { names, allowPrivate: true })).toMatchObject({ kind: 'done' });
    expect(await notify(here('meta.lan'), { names, allowPrivate: true })).toMatchObject(refused);
    expect(await notify('http://[fd00:ec2::254]/canary', { allowPrivate: true })).toMatchObject(refused);
    // Plain HTTP still does not leave for the world.
    expect(await notify(here('world.example'), { names, allowPrivate: true })).toMatchObject(refused);
  });

  test('follows no redirect, wherever it points', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (_request, response) => response.writeHead(status, { location: here('127.0.0.1') }).end();
      expect(await notify(here('127.0.0.1'))).toMatchObject({
        kind: 'failed',
        detail: expect.stringContaining('Redirects'),
      });
    }
    expect(asked).toHaveLength(5);
  });

  test('sends no user name and password', async () => {
    expect(await notify(`http://user:canary@127.0.0.1:${port}/`)).toMatchObject({ kind: 'failed' });
    expect(asked).toEqual([]);
  });

  test('that was taken is done, also when its answer drips on, and no more is read than is needed', async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await notify(here('127.0.0.1'), { withinMs: 20_000 })).toMatchObject({ kind: 'done' });
    let written = 0;
    answer = (_request, response) => {
      response.writeHead(200);
      const flood = (): void => {
        while (!response.destroyed) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on('drain', flood);
      flood();
    };
    expect(await notify(here('127.0.0.1'), { withinMs: 20_000 })).toMatchObject({
      kind: 'done',
    });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test('that finds nobody is in doubt', async () => {
    expect(await notify(here('nowhere.example'))).toMatchObject({
      kind: 'doubt',
      reason: expect.stringContaining('ENOTFOUND'),
    });
  });
});
