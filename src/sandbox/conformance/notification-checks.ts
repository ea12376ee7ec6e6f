import { z } from 'zod';
import { operations, readNotification, verifyNotification } from '../../platform/index.ts';
import type { Notification } from '../../platform/index.ts';
import type { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { fits, hold } from './judge.ts';
import type { Received } from './receiver.ts';
import { startReceiver } from './receiver.ts';

const byControl = { control: true } as const;

/** Registers a receiver of its own; the answer waits for the first notification of that kind about the stream. */
async function listen(bench: Bench, callback: { method?: string; status?: (nth: number) => number } = {}) {
  const receiver = await startReceiver(callback.status ?? (() => 200));
  bench.later(receiver.close);
  const target = {
    host: '127.0.0.1',
    port: receiver.port,
    path: '/hook',
    query: 'tenant=a',
    method: callback.method ?? 'POST',
  };
  const answer = await bench.call('registerCallback', { body: { callback: target } });
  const { endpoint } = fits(answer, operations.registerCallback.response.schema);
  const about = (streamId: string, what: string): Received[] =>
    receiver.received.filter((one) => {
      const read = readNotification(JSON.parse(one.body));
      return (
        read.kind === 'known' &&
        read.notification.what === what &&
        read.notification.data.streamId === streamId
      );
    });
  const hear = (streamId: string, what: string): Promise<Received> =>
    bench.eventually(`a ${what} notification`, async () => about(streamId, what)[0]);
  return { endpoint, port: receiver.port, about, hear };
}

const bodyOf = (received: Received): Notification => {
  const read = readNotification(JSON.parse(received.body));
  hold(read.kind === 'known', `the body does not fit: ${received.body}`);
  return read.notification;
};

/** interface.md, endpoint 7 and "Events". */
export const notificationChecks: readonly Check[] = [
  check(
    'registerCallback',
    '200',
    'The answer carries the resolved method, URL and query that were stored.',
    async (bench) => {
      const { endpoint, port } = await listen(bench);
      hold(endpoint === `POST http://127.0.0.1:${port}/hook?tenant=a`, `endpoint reads "${endpoint}"`);
    },
    byControl,
  ),
  check(
    'registerCallback',
    'defaults',
    'Protocol http, port 80 (443 for https), method POST, path /.',
    async (bench) => {
      const register = async (callback: object): Promise<string> => {
        const answer = await bench.call('registerCallback', { body: { callback } });
        return fits(answer, operations.registerCallback.response.schema).endpoint;
      };
      const plain = await register({ host: '127.0.0.1' });
      hold(plain === 'POST http://127.0.0.1:80/', `endpoint reads "${plain}"`);
      const secure = await register({ host: '127.0.0.1', protocol: 'https', method: 'PUT' });
      hold(secure === 'PUT https://127.0.0.1:443/', `endpoint reads "${secure}"`);
    },
    byControl,
  ),
  check(
    'notifications',
    'signature',
    'Every notification can be verified with the HMAC-SHA256 scheme.',
    async (bench) => {
      const { hear } = await listen(bench);
      const { roomId } = await bench.room();
      const { streamId } = await bench.publish({ roomId });
      const received = await hear(streamId, 'started');
      const { secret, headerPrefix } = bench.options;
      const { now } = await bench.control('GET', 'clock', {}, z.object({ now: z.number() }));
      const verdict = verifyNotification({ ...received, secrets: [secret], headerPrefix, nowMs: now });
      hold(verdict.ok, `it does not verify: ${verdict.ok ? '' : verdict.reason}`);
      hold(received.target === '/hook?tenant=a', `it went to ${received.target}`);
    },
    byControl,
  ),
  check(
    'notifications',
    'started',
    'Publishing sends Stream Started with the tags given at publish.',
    async (bench) => {
      const { hear } = await listen(bench);
      const { roomId } = await bench.room();
      const { streamId, sessionId } = await bench.publish({ roomId });
      const notification = bodyOf(await hear(streamId, 'started'));
      hold(notification.sessionId === sessionId, 'the session is another');
      hold(
        notification.what === 'started' && notification.data.tags.includes(`roomId:${roomId}`),
        'the room is not among the tags',
      );
    },
    byControl,
  ),
  check(
    'notifications',
    'ended',
    'Terminating sends Stream Ended with duration and reason.',
    async (bench) => {
      const { hear } = await listen(bench);
      const { roomId } = await bench.room();
      const { streamId } = await bench.publish({ roomId });
      await bench.call('terminateStream', { body: { streamId, reason: 'censored' } });
      const notification = bodyOf(await hear(streamId, 'ended'));
      hold(notification.what === 'ended' && notification.data.reason === 'censored', 'the reason is another');
      hold(Number(notification.data.duration) >= 0, 'there is no duration');
    },
    byControl,
  ),
  check(
    'notifications',
    'playlists',
    'One Live Available event is sent for each available playlist.',
    async (bench) => {
      const { about, hear } = await listen(bench);
      const { roomId } = await bench.room();
      const { streamId } = await bench.publish({ roomId }, { capabilities: ['vld', 'streaming'] });
      await bench.control('POST', 'playlists', { streamId, type: 'HLS' }, z.object({}));
      await hear(streamId, 'live');
      const uris = await bench.eventually('an event for each of three playlists', async () => {
        const seen = new Set(about(streamId, 'live').map((one) => JSON.parse(one.body).data.uri as string)); // `about` read it
        return seen.size >= 3 ? seen : undefined;
      });
      hold(
        [...uris].every((uri) => uri.endsWith('.m3u8')),
        'an HLS uri does not end in .m3u8',
      );
    },
    byControl,
  ),
  check(
    'notifications',
    'composition',
    'A composed stream is a stream: it starts with the tags that were given.',
    async (bench) => {
      const { hear } = await listen(bench);
      const { roomId } = await bench.room();
      const { streamId } = await bench.publish({ roomId });
      const composition = {
        type: 'PictureInPicture',
        streams: [{ streamId }],
        tags: ['conformance:composed'],
      };
      const answer = await bench.call('createComposition', { body: { composition } });
      const { compositionId } = fits(answer, operations.createComposition.response.schema);
      bench.later(() => bench.call('deleteComposition', { params: { compositionId } }));
      const notification = bodyOf(await hear(compositionId, 'started'));
      hold(
        notification.what === 'started' && notification.data.tags.includes('conformance:composed'),
        'the tags of the composition are missing',
      );
    },
    byControl,
  ),
  check(
    'notifications',
    'transcoding',
    'A transcoding makes live playlists of its origin available.',
    async (bench) => {
      const { hear } = await listen(bench);
      const { roomId } = await bench.room();
      const { streamId } = await bench.publish({ roomId });
      const transcoding = { type: 'DASH', originStreamId: streamId };
      await bench.call('createTranscoding', { body: { transcoding } });
      await bench.control('POST', 'clock', { advance: '10s' }, z.object({}));
      const notification = bodyOf(await hear(streamId, 'live'));
      hold(
        notification.what === 'live' && notification.data.uri.endsWith('.mpd'),
        'the playlist is not MPEG-DASH',
      );
    },
    byControl,
  ),
  check(
    'notifications',
    'methods',
    'GET, POST and PUT are all supported.',
    async (bench) => {
      for (const method of ['GET', 'PUT']) {
        const { hear } = await listen(bench, { method });
        const { roomId } = await bench.room();
        const received = await hear((await bench.publish({ roomId })).streamId, 'started');
        hold(received.method === method, `it came as ${received.method}`);
      }
    },
    byControl,
  ),
  check(
    'notifications',
    'retry',
    'A 5XX answer from the receiver is retried; the first backoff is 3 seconds.',
    async (bench) => {
      const { about, hear } = await listen(bench, { status: (nth) => (nth === 1 ? 503 : 200) });
      const { roomId } = await bench.room();
      const { streamId } = await bench.publish({ roomId });
      await hear(streamId, 'started');
      await bench.control('POST', 'clock', { advance: '3s' }, z.object({}));
      await bench.eventually('a second attempt', async () =>
        about(streamId, 'started').length > 1 ? true : undefined,
      );
    },
    byControl,
  ),
];
