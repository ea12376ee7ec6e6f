import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyNotification } from '../../src/platform/index.ts';
import type { Stage } from './harness.ts';
import { stage } from './harness.ts';

const publish = (on: Stage, options: { capabilities?: string[]; tags?: string[] } = {}) => {
  const roomId =
    on.sandbox.findPlace({ roomAlias: 'main' }) ?? on.sandbox.createRoom({ alias: 'main' }).roomId;
  return on.sandbox.publish({ roomId, ...options });
};
const hours = 3_600_000;

describe('a notification', () => {
  test('is signed over what is on the wire and carries the documented body', async () => {
    const on = await stage();
    const { received, bodies } = await on.receive([200], { query: 'a=1&b=%23' });
    const { streamId, sessionId } = publish(on, { tags: ['show:x', 'a'] });
    await on.sandbox.settled();
    const nowMs = on.sandbox.clock.now();
    expect(verifyNotification({ ...received[0]!, secrets: ['sandbox-secret'], nowMs })).toMatchObject({
      ok: true,
      timestampMs: nowMs,
    });
    expect(received[0]).toMatchObject({ method: 'POST', target: '/hook?a=1&b=%23' });
    expect(bodies()[0]).toEqual({
      apiVersion: 0,
      entity: 'stream',
      what: 'started',
      data: {
        streamId,
        tags: [expect.stringMatching(/^roomId:us-northeast#demo#main\./), 'roomAlias:main', 'show:x', 'a'],
      },
      sessionId,
      timestamp: '2026-01-01T12:00:00.000Z',
    });
  });

  test('of an end carries duration in ms and reason', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    const { streamId } = publish(on);
    await on.sandbox.advance(4_200);
    on.sandbox.end({ streamId, reason: 'ended' });
    await on.sandbox.settled();
    expect(bodies()[1]).toMatchObject({
      what: 'ended',
      data: { streamId, duration: 4_200, reason: 'ended' },
    });
  });

  test('is sent for each playlist: the adaptive one and each quality level of each type', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    publish(on, { capabilities: ['ld', 'streaming', 'on-demand'] });
    await on.sandbox.advance(2_000);
    const live = bodies().filter((body) => body.what === 'live');
    expect(live).toHaveLength(8);
    expect(new Set(live.map((body) => body.data.uri.replace(/.*\//, '')))).toEqual(
      new Set([
        'live-ld.m3u8',
        'live-ld.mpd',
        'live-qcif.m3u8',
        'live-qcif.mpd',
        'live-sif.m3u8',
        'live-sif.mpd',
        'live.m3u8',
        'live.mpd',
      ]),
    );
    expect(live.filter((body) => body.data.isPrimary)).toHaveLength(2);
    await on.sandbox.advance(2_000);
    expect(bodies().filter((body) => body.what === 'on-demand')).toHaveLength(8);
  });

  test('is sent with lite for the top level only', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    publish(on, { capabilities: ['hd', 'streaming-lite'] });
    await on.sandbox.advance(2_000);
    const uris = bodies()
      .filter((body) => body.what === 'live')
      .map((body) => body.data.uri.replace(/.*\//, ''));
    expect(uris).toHaveLength(4);
    expect(new Set(uris)).toEqual(new Set(['live-hd.m3u8', 'live-hd.mpd', 'live.m3u8', 'live.mpd']));
  });
});

describe('retries', () => {
  test('run 3 s, 6 s and so on from the end of the attempt before, nine times, 1533 s in all', async () => {
    const on = await stage();
    const { received } = await on.receive([503]);
    publish(on);
    await on.sandbox.advance(2 * hours);
    const [delivery] = on.sandbox.deliveries();
    const seconds = delivery!.attempts.map((attempt) => (attempt.at - delivery!.at) / 1_000);
    expect(seconds).toEqual([0, 3, 9, 21, 45, 93, 189, 381, 765, 1_533]);
    expect(delivery).toMatchObject({ state: 'given-up', nextAt: null });
    expect(received).toHaveLength(10);
  });

  test('each attempt is signed anew over the same body, or with the first signature by switch', async () => {
    for (const [way, stamps] of [
      ['each-attempt', 3],
      ['once', 1],
    ] as const) {
      const on = await stage({ switches: { 'notification-resigned': way } });
      const { received } = await on.receive([500, 500, 200]);
      publish(on);
      await on.sandbox.advance(10_000);
      expect(new Set(received.map((one) => one.headers['x-service-timestamp'])).size).toBe(stamps);
      expect(new Set(received.map((one) => one.body)).size).toBe(1);
      expect(on.sandbox.deliveries()[0]).toMatchObject({ state: 'delivered' });
    }
  });

  test.each([200, 204, 302, 400, 401, 404, 413])('a %d is not retried', async (status) => {
    const on = await stage();
    const { received } = await on.receive([status]);
    publish(on);
    await on.sandbox.advance(hours);
    expect(received).toHaveLength(1);
    expect(on.sandbox.deliveries()[0]?.state).toBe(status < 300 ? 'delivered' : 'refused');
  });

  test('a receiver that hangs is given up after 10 s and asked again 3 s later', async () => {
    const on = await stage();
    let hits = 0;
    const server = createServer(() => void hits++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    await on.call('PUT', '/application/demo/callback', { callback: { host: '127.0.0.1', port } });
    publish(on);
    await on.sandbox.advance(13_000);
    const [delivery] = on.sandbox.deliveries();
    expect(delivery?.attempts[0]).toMatchObject({ error: 'timeout' });
    expect(delivery!.attempts[0]!.endedAt - delivery!.attempts[0]!.at).toBe(10_000);
    await on.sandbox.settled();
    expect(hits).toBe(2);
  });

  test('a refused connection is retried, and the receiver that comes up gets it', async () => {
    const on = await stage();
    await on.call('PUT', '/application/demo/callback', { callback: { host: '127.0.0.1', port: 1 } });
    const { streamId } = publish(on);
    await on.sandbox.advance(2_000);
    const { bodies } = await on.receive();
    await on.sandbox.advance(2_000);
    expect(bodies().map((body) => body.data.streamId)).toEqual([streamId]);
    expect(on.sandbox.deliveries()[0]?.attempts[0]?.error).toContain('ECONNREFUSED');
  });

  test('a kept connection that the receiver closed is no attempt', async () => {
    const on = await stage();
    const served = new WeakSet<object>();
    let closed = 0;
    const server = createServer((request, response) => {
      if (!served.has(request.socket)) {
        served.add(request.socket);
        response.end();
        return;
      }
      closed++;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    await on.call('PUT', '/application/demo/callback', { callback: { host: '127.0.0.1', port } });
    for (let i = 0; i < 2; i++) {
      publish(on);
      await on.sandbox.advance(1);
    }
    expect(closed).toBe(1);
    expect(on.sandbox.deliveries()).toMatchObject([
      { state: 'delivered', attempts: [{ status: 200 }] },
      { state: 'delivered', attempts: [{ status: 200 }] },
    ]);
  });
});

describe('where notifications go', () => {
  test('nowhere without a callback, and only to loopback unless allowed', async () => {
    const on = await stage();
    publish(on);
    await on.call('PUT', '/application/demo/callback', {
      callback: { host: 'example.com', protocol: 'https' },
    });
    publish(on);
    expect(on.sandbox.deliveries().map((delivery) => delivery.state)).toEqual(['unrouted', 'blocked']);
    expect(on.sandbox.deliveries()[1]?.target).toBe('POST https://example.com:443/');
  });

  test.each(['GET', 'POST', 'PUT'])('by %s', async (method) => {
    const on = await stage();
    const { received } = await on.receive([200], { method });
    publish(on);
    await on.sandbox.settled();
    expect(received[0]?.method).toBe(method);
    expect(JSON.parse(received[0]!.body)).toMatchObject({ what: 'started' });
  });

  test('a GET without a body by switch, still signed', async () => {
    const on = await stage({
      switches: { 'notification-get-body': 'empty', 'notification-time-unit': 'seconds' },
    });
    const { received } = await on.receive([200], { method: 'GET' });
    publish(on);
    await on.sandbox.settled();
    expect(received[0]?.body).toBe('');
    const nowMs = on.sandbox.clock.now();
    expect(verifyNotification({ ...received[0]!, secrets: ['sandbox-secret'], nowMs })).toMatchObject({
      ok: true,
      unit: 's',
    });
  });
});

describe('webhook faults', () => {
  test('duplicate', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    on.sandbox.failNext({ webhook: 'duplicate', copies: 10, what: 'ended' });
    const { streamId } = publish(on);
    on.sandbox.end({ streamId });
    await on.sandbox.settled();
    expect(bodies().filter((body) => body.what === 'ended')).toHaveLength(10);
    expect(bodies().filter((body) => body.what === 'started')).toHaveLength(1);
  });

  test('reorder lets the next one overtake, or waits no longer than 5 s', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    on.sandbox.failNext({ webhook: 'reorder', what: 'started', count: 2 });
    const { streamId } = publish(on);
    await on.sandbox.advance(1_000);
    on.sandbox.end({ streamId });
    await on.sandbox.settled();
    await vi.waitFor(() => expect(bodies().map((body) => body.what)).toEqual(['ended', 'started']));
    await on.sandbox.settled();
    expect(on.sandbox.deliveries()[0]!.attempts[0]!.at).toBeGreaterThan(on.sandbox.deliveries()[0]!.at);
    publish(on);
    await on.sandbox.advance(4_999);
    expect(bodies()).toHaveLength(2);
    await on.sandbox.advance(1);
    await on.sandbox.settled();
    expect(bodies()).toHaveLength(3);
  });

  test('delay and drop', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    on.sandbox.failNext({ webhook: 'delay', delay: '1m' });
    on.sandbox.failNext({ webhook: 'drop' });
    publish(on);
    publish(on);
    await on.sandbox.advance(59_000);
    expect(bodies()).toEqual([]);
    await on.sandbox.advance(1_000);
    await on.sandbox.settled();
    expect(bodies()).toHaveLength(1);
    expect(on.sandbox.deliveries().map((delivery) => delivery.state)).toEqual(['delivered', 'dropped']);
  });
});

test('a second ended with nulls, by switch', async () => {
  const on = await stage({ switches: { 'ended-twice': 'yes' } });
  const { bodies } = await on.receive();
  const { streamId } = publish(on);
  on.sandbox.end({ streamId, reason: 'x' });
  await on.sandbox.settled();
  const ends = bodies()
    .filter((body) => body.what === 'ended')
    .map((body) => body.data.reason);
  expect(ends).toHaveLength(2);
  expect(ends).toEqual(expect.arrayContaining([null, 'x']));
});
