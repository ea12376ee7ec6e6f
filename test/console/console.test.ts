import { once } from 'node:events';
import { Registry, Counter } from 'prom-client';
import { Subject } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { createConsole, type Console } from '../../src/console/console.ts';
import type { FeedItem } from '../../src/console/feed-item.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { StreamLive } from '../../src/domain/event.ts';
import { settleDown, virtualClock } from '../egress/virtual-clock.ts';

const TOKEN = 'a-token';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function rig(reasons: Record<string, string | undefined> = {}) {
  const feed$ = new Subject<FeedItem>();
  const registry = new Registry();
  new Counter({ name: 'usher_deeds_total', help: 'Deeds.', registers: [registry] }).inc(3);
  const clock = virtualClock();
  const served: Console = await createConsole({
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    readiness: Object.keys(reasons).map((name) => ({ name, reason: () => reasons[name] })),
    metrics: { contentType: registry.contentType, text: () => registry.metrics() },
    feed$,
    clock,
    count() {},
    heartbeatMs: 1_000,
  });
  open.push(() => served.close());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(served.url + path, { headers });
  const follow = (options: ClientOptions = {}, protocols: string[] = [], path = '/feed') => {
    const socket = new WebSocket(`${served.url.replace('http', 'ws')}${path}`, protocols, options);
    const lines: unknown[] = [];
    socket.on('message', (data) => lines.push(JSON.parse((data as Buffer).toString())));
    open.push(async () => {
      socket.on('error', () => {});
      socket.terminate();
    });
    return { socket, lines };
  };
  return { served, feed$, clock, get, follow };
}

const bearer = { authorization: `Bearer ${TOKEN}` };

const live = withId<StreamLive>({
  type: 'stream.live',
  at: 1,
  seenAt: 1,
  source: 'webhook',
  streamId: 'eu#1',
  tags: [],
  uri: 'https://x/live.m3u8?streamToken=canary&q=1',
  isPrimary: true,
});

describe('probes', () => {
  test('/healthz says that the process is alive', async () => {
    const { get } = await rig({ store: 'disk full' });
    expect((await get('/healthz')).status).toBe(200);
  });

  test('/readyz is 200 while every source is ready, and 503 with the reason of each that is not', async () => {
    const reasons: Record<string, string | undefined> = { webhooks: undefined, store: undefined };
    const { get } = await rig(reasons);
    expect((await get('/readyz')).status).toBe(200);
    reasons['store'] = 'disk full';
    const answer = await get('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      ready: false,
      sources: [
        { name: 'webhooks', ready: true },
        { name: 'store', ready: false, reason: 'disk full' },
      ],
    });
  });

  test('/metrics is the registry as Prometheus reads it', async () => {
    const { get } = await rig();
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('usher_deeds_total 3');
  });
});

describe('everything else', () => {
  const table: readonly [string, Record<string, string>, number][] = [
    ['/', {}, 401],
    ['/api/x', {}, 401],
    ['/feed', {}, 401],
    ['/', { authorization: 'Bearer wrong' }, 401],
    ['/healthz/../api', {}, 401],
    [`/api?token=${TOKEN}`, {}, 401],
    ['/', bearer, 404],
    ['/feed', bearer, 426],
  ];
  test.each(table)('%s with %j is %i', async (path, headers, status) => {
    const { get } = await rig();
    expect((await get(path, headers)).status).toBe(status);
  });

  test('what is not there says what is', async () => {
    const { get } = await rig();
    expect(JSON.stringify(await (await get('/', bearer)).json())).toContain('/readyz');
  });
});

describe('the feed', () => {
  const accepted: readonly [string, ClientOptions, string[]][] = [
    ['a bearer header', { headers: bearer }, []],
    ['a subprotocol', {}, ['usher.feed', TOKEN]],
    ['a subprotocol alone', {}, [TOKEN]],
    [
      'a subprotocol in base64url',
      {},
      ['usher.feed', `usher.token.${Buffer.from(TOKEN).toString('base64url')}`],
    ],
  ];
  test.each(accepted)('opens with the token in %s', async (_, options, protocols) => {
    const { follow, feed$ } = await rig();
    const { socket, lines } = follow(options, protocols);
    await once(socket, 'open');
    feed$.next({ kind: 'event', event: live });
    await once(socket, 'message');
    expect(lines).toMatchObject([
      { kind: 'event', event: { streamId: 'eu#1', uri: 'https://x/live.m3u8?streamToken=[redacted]&q=1' } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  test('gives back the protocol that is not the token', async () => {
    const { follow } = await rig();
    const { socket } = follow({}, [TOKEN, 'usher.feed']);
    await once(socket, 'open');
    expect(socket.protocol).toBe('usher.feed');
  });

  const refused: readonly [string, ClientOptions, string[], string, number][] = [
    ['no token', {}, [], '/feed', 401],
    ['a wrong token', { headers: { authorization: 'Bearer x' } }, [], '/feed', 401],
    ['a wrong subprotocol', {}, ['usher.feed'], '/feed', 401],
    ['the token in a query', {}, [], `/feed?token=${TOKEN}`, 400],
    ['another path', { headers: bearer }, [], '/other', 404],
    ['another origin', { headers: bearer, origin: 'https://evil.example' }, [], '/feed', 403],
  ];
  test.each(refused)('stays shut for %s', async (_, options, protocols, path, status) => {
    const { follow } = await rig();
    const { socket } = follow(options, protocols, path);
    const [error] = (await once(socket, 'error').catch((cause: unknown) => [cause])) as [Error];
    expect(error.message).toContain(String(status));
  });

  test("opens for the console's own page", async () => {
    const { served, follow } = await rig();
    const { socket } = follow({ origin: served.url }, [TOKEN]);
    await once(socket, 'open');
    expect(socket.readyState).toBe(socket.OPEN);
  });

  test('drops a client that answers no heartbeat, and keeps one that does', async () => {
    const { clock, follow } = await rig();
    const awake = follow({ headers: bearer });
    const asleep = follow({ headers: bearer, autoPong: false });
    await Promise.all([once(awake.socket, 'open'), once(asleep.socket, 'open')]);
    const gone = once(asleep.socket, 'close');
    const pinged = once(awake.socket, 'ping');
    await clock.advance(1_000);
    await pinged;
    await settleDown();
    awake.socket.ping();
    await once(awake.socket, 'pong');
    await clock.advance(1_000);
    await gone;
    expect(awake.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('ends with the console', async () => {
    const { served, follow } = await rig();
    const { socket } = follow({ headers: bearer });
    await once(socket, 'open');
    const gone = once(socket, 'close');
    await served.close();
    await gone;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });
});
