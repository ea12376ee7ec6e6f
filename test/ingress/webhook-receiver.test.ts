import { gzipSync } from 'node:zlib';
import { createConnection } from 'node:net';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { OperatorState } from '../../src/engine/ports.ts';
import { ConfigurationError, InboxFullError, StoreError } from '../../src/errors.ts';
import { createWebhookReceiver, type WebhookReceiverSettings } from '../../src/ingress/webhook-receiver.ts';
import { signNotification } from '../../src/platform/index.ts';
import { recordingCount, recordingIntake, recordingLog } from './recorders.ts';
import { virtualClock } from './virtual-clock.ts';

const SECRET = 'the-secret-that-never-shows';
const PATH = '/webhooks/platform';
const NOW = 1_800_000_000_000;
const STREAM = 'us#ASH.wTa8.20270115.PS39';

const body = (what: string, data: object, more: object = {}) =>
  JSON.stringify({
    apiVersion: 0,
    entity: 'stream',
    what,
    data,
    sessionId: 'us#session',
    timestamp: '2027-01-15T07:59:59.500Z',
    ...more,
  });
const started = (streamId = STREAM, tags: string[] = ['roomId:us#room', 'roomAlias:lobby', 'kind:stage']) =>
  body('started', { streamId, tags });

interface Sent {
  method?: string;
  target?: string;
  body?: string | Buffer;
  contentType?: string;
  timestamp?: string;
  secret?: string;
  signedBody?: string | Buffer;
  headers?: Record<string, string | string[] | undefined>;
}

async function receiver(
  settings: Partial<WebhookReceiverSettings> = {},
  operator?: Partial<Pick<OperatorState, 'timestampUnit' | 'lockTimestampUnit'>>,
  wall?: () => number,
) {
  const [intake, log, counted] = [recordingIntake(), recordingLog(), recordingCount()];
  const clock = virtualClock(NOW);
  const notified: string[] = [];
  const locked: string[] = [];
  const made = createWebhookReceiver(
    { host: '127.0.0.1', port: 0, path: PATH, secrets: [SECRET], ...settings },
    {
      intake,
      operator: {
        timestampUnit: () => undefined,
        lockTimestampUnit: async (unit) => void locked.push(unit),
        ...operator,
      },
      clock,
      wall,
      log,
      count: counted.count,
      onNotified: (event) => notified.push(event.id),
    },
  );
  const { port } = await made.start();
  running.push(made);

  const send = async ({ method = 'POST', target = PATH, ...sent }: Sent = {}) => {
    const bytes = sent.body ?? started();
    const signed = signNotification({
      secret: sent.secret ?? SECRET,
      method,
      target,
      contentType: sent.contentType ?? 'application/json',
      timestamp: sent.timestamp ?? String(NOW),
      body: sent.signedBody ?? bytes,
    });
    const given = { ...signed, 'content-length': String(Buffer.byteLength(bytes)), ...sent.headers };
    const headers = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
      (resolve, reject) => {
        const request = httpRequest(
          { host: '127.0.0.1', port, method, path: target, headers },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => (text += chunk));
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
            );
          },
        );
        request.on('error', reject);
        request.end(bytes);
      },
    );
  };

  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = createConnection(port, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        answer += chunk;
        if (answer.includes('\r\n\r\n')) socket.end();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  return { made, port, clock, intake, log, counted, notified, locked, send, raw };
}

const running: { stop(graceMs?: number): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((made) => made.stop(0)));
});

const sha = 'x-service-content-sha256';
const stamp = 'x-service-timestamp';

describe('what a notification is answered', () => {
  const many = '\u2665'.repeat(100_000); // 300,000 bytes
  const rows: [string, Sent, number][] = [
    ['a signed notification', {}, 200],
    ['a signed PUT', { method: 'PUT' }, 200],
    ['a signed GET with its body', { method: 'GET' }, 200],
    ['a charset', { contentType: 'application/json; charset=utf-8' }, 200],
    ['a query in the target', { target: `${PATH}?tenant=a&x=%23&y=a%2Bb` }, 200],
    ['a stamp in seconds', { timestamp: String(NOW / 1000) }, 200],
    ['a retry after 25 minutes', { timestamp: String(NOW - 25 * 60_000) }, 200],
    ['a byte order mark, hashed as sent', { body: `\uFEFF${started()}` }, 200],
    ['line ends and emoji, hashed as sent', { body: `{\r\n${started(STREAM, ['♥ 😀']).slice(1)}\r\n` }, 200],
    ['an unknown kind', { body: body('paused', { streamId: STREAM }) }, 200],
    ['another entity', { body: JSON.stringify({ entity: 'room', what: 'opened' }) }, 200],
    ['a known kind in another shape', { body: body('started', { streamId: 7 }) }, 200],
    ['JSON that is no object', { body: '[1,2]' }, 200],
    ['new fields', { body: body('started', { streamId: STREAM, tags: [], more: 1 }, { trace: 'x' }) }, 200],
    [
      'a stream that ended without duration and reason',
      { body: body('ended', { streamId: STREAM, tags: [], duration: null, reason: null }) },
      200,
    ],

    ['signed, but not JSON', { body: 'hello' }, 400],
    ['signed, but empty', { method: 'GET', body: '' }, 400],

    ['another secret', { secret: 'guess' }, 401],
    ['a changed body', { signedBody: started('other') }, 401],
    [
      're-serialised JSON',
      { body: JSON.stringify(JSON.parse(started()), null, 1), signedBody: started() },
      401,
    ],
    ['no authorization', { headers: { authorization: undefined } }, 401],
    ['no hash', { headers: { [sha]: undefined } }, 401],
    ['no stamp', { headers: { [stamp]: undefined } }, 401],
    ['an empty signature', { headers: { authorization: 'HMAC-SHA256 ' } }, 401],
    ['a truncated signature', { headers: { authorization: 'HMAC-SHA256 AAAA' } }, 401],
    ['a stamp that is no number', { timestamp: 'yesterday' }, 401],
    ['a negative stamp', { timestamp: '-1800000000' }, 401],
    ['a stamp in hex', { timestamp: '0x6B49D200' }, 401],
    ['a stamp with eleven digits', { timestamp: '18000000000' }, 401],
    ['an old stamp', { timestamp: String(NOW - 31 * 60_000) }, 401],
    ['a stamp of the future', { timestamp: String(NOW + 6 * 60_000) }, 401],

    ['another path', { target: '/' }, 404],
    ['a path below', { target: `${PATH}/x` }, 404],
    ['a path that only decodes to ours', { target: '/webhooks/%70latform' }, 404],
    ['DELETE', { method: 'DELETE' }, 405],
    ['PATCH', { method: 'PATCH' }, 405],
    ['256 KiB and more', { body: many }, 413],
    ['256 KiB and more by GET', { method: 'GET', body: many }, 413],
    ['no media type', { headers: { 'content-type': undefined } }, 415],
    ['another media type', { contentType: 'text/plain' }, 415],
    ['a parameter of the media type', { contentType: 'application/json; version=1' }, 415],
    ['gzip', { body: gzipSync(started()), headers: { 'content-encoding': 'gzip' } }, 415],
  ];
  test.each(rows)('%s', async (_, sent, status) => {
    const { send, intake, log } = await receiver();
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    expect(answer.text).toBe(JSON.stringify({ status: JSON.parse(answer.text).status }));
    expect(intake.events).toHaveLength(status === 200 ? 1 : 0);
    expect(log.lines.join()).not.toContain(SECRET);
    const lines = log.lines.filter((line) => !line.includes('Compare the clocks'));
    expect(status < 400 ? [] : lines).toEqual([]);
  });

  test('a method that is not taken is told which are', async () => {
    const { send } = await receiver();
    expect((await send({ method: 'DELETE' })).headers.allow).toBe('GET, POST, PUT');
  });

  test('base64 without its padding is refused, and so is its url-safe form', async () => {
    const { send } = await receiver();
    const signed = signNotification({
      secret: SECRET,
      method: 'POST',
      target: PATH,
      contentType: 'application/json',
      timestamp: String(NOW),
      body: started(),
    });
    const unpadded = signed.authorization!.replace(/=+$/, '');
    const hash = signed[sha]!.replace(/=+$/, '');
    const urlSafe = signed.authorization!.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '');
    for (const headers of [{ authorization: unpadded }, { [sha]: hash }, { authorization: urlSafe }]) {
      expect((await send({ headers })).status).toBe(401);
    }
  });

  test.each(['authorization', sha, stamp, 'content-type'])('%s given twice is refused', async (name) => {
    const { raw, intake } = await receiver();
    const text = started();
    const signed = signNotification({
      secret: SECRET,
      method: 'POST',
      target: PATH,
      contentType: 'application/json',
      timestamp: String(NOW),
      body: text,
    });
    const lines = Object.entries(signed).flatMap(([key, value]) =>
      key === name ? [`${key}: ${value}`, `${key}: ${value}`] : [`${key}: ${value}`],
    );
    const answer = await raw(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${lines.join('\r\n')}\r\n\r\n${text}`,
    );
    expect(answer).toMatch(name === 'content-type' ? /^HTTP\/1\.1 415 / : /^HTTP\/1\.1 401 /);
    expect(intake.events).toEqual([]);
  });

  test('a target in absolute form is verified from its path on, as it was signed', async () => {
    const { send, port, raw, intake } = await receiver();
    const text = started();
    const target = `${PATH}?a=%2b`;
    const signed = signNotification({
      secret: SECRET,
      method: 'POST',
      target,
      contentType: 'application/json',
      timestamp: String(NOW),
      body: text,
    });
    const lines = Object.entries(signed).map(([key, value]) => `${key}: ${value}`);
    const answer = await raw(
      `POST http://127.0.0.1:${port}${target} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${lines.join('\r\n')}\r\n\r\n${text}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(intake.events).toHaveLength(1);
    expect((await send({ target: '*', method: 'PUT' })).status).toBe(404);
  });

  test('what is no HTTP is answered 400 and leaves the listener well', async () => {
    const { raw, send } = await receiver();
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect((await send()).status).toBe(200);
  });

  test('a declared length over the limit is refused before its body is read', async () => {
    const { raw } = await receiver();
    expect(await raw(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 [^]*connection: close/i,
    );
  });

  test('a chunked body is cut at the limit', async () => {
    const { raw } = await receiver({ maxBodyBytes: 10 });
    expect(
      await raw(
        `POST ${PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n${'x'.repeat(20)}\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a body that comes too slowly is answered 408', async () => {
    const { raw } = await receiver({ requestTimeoutMs: 300 });
    expect(await raw(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`)).toMatch(
      /^HTTP\/1\.1 408 /,
    );
  });

  test('behind a proxy the path that was signed is the public one', async () => {
    const { send, raw, intake } = await receiver({ publicPath: '/public/hook' });
    const text = started();
    const signed = signNotification({
      secret: SECRET,
      method: 'POST',
      target: '/public/hook?a=1',
      contentType: 'application/json',
      timestamp: String(NOW),
      body: text,
    });
    const lines = Object.entries(signed).map(([key, value]) => `${key}: ${value}`);
    expect((await send()).status).toBe(401);
    expect(
      await raw(
        `POST ${PATH}?a=1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${lines.join('\r\n')}\r\n\r\n${text}`,
      ),
    ).toMatch(/^HTTP\/1\.1 200 /);
    expect(intake.events).toHaveLength(1);
  });

  test('each of several secrets is taken, and a missing or empty one refuses to start', async () => {
    const { send } = await receiver({ secrets: ['new', SECRET] });
    expect((await send()).status).toBe(200);
    expect((await send({ secret: 'new', body: started('b') })).status).toBe(200);
    for (const secrets of [[], [''], ['good', '']]) {
      await expect(receiver({ secrets })).rejects.toThrow(ConfigurationError);
    }
  });
});

describe('what becomes of a notification', () => {
  test('each of the four kinds is its event, by the time of its body', async () => {
    const { send, intake } = await receiver();
    await send();
    await send({
      body: body('ended', { streamId: STREAM, tags: ['a:b:c'], duration: 1200, reason: 'censored' }),
    });
    const uri = 'https://cdn/x.m3u8';
    await send({ body: body('live', { streamId: STREAM, uri, isPrimary: true, isVariant: true }) });
    await send({ body: body('on-demand', { streamId: STREAM, uri, isPrimary: false }) });
    const base = { at: NOW - 500, seenAt: NOW, source: 'webhook', streamId: STREAM, sessionId: 'us#session' };
    expect(intake.events).toEqual([
      {
        ...base,
        type: 'stream.started',
        id: `stream.started ${STREAM}`,
        place: { kind: 'room', id: 'us#room' },
        tags: ['roomId:us#room', 'roomAlias:lobby', 'kind:stage'],
      },
      {
        ...base,
        type: 'stream.ended',
        id: `stream.ended ${STREAM}`,
        tags: ['a:b:c'],
        durationMs: 1200,
        reason: 'censored',
      },
      { ...base, type: 'stream.live', id: `stream.live ${STREAM} ${uri}`, tags: [], uri, isPrimary: true },
      {
        ...base,
        type: 'stream.onDemand',
        id: `stream.onDemand ${STREAM} ${uri}`,
        tags: [],
        uri,
        isPrimary: false,
      },
    ]);
  });

  test('ten times the same is one event, and ten times 200', async () => {
    const { send, intake, counted } = await receiver();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(intake.events).toHaveLength(1);
    expect(counted.of('notification.accepted stream.started duplicate')).toBe(9);
  });

  test('what we do not know is kept whole', async () => {
    const { send, intake, log } = await receiver();
    const unknown = body('paused', { streamId: STREAM });
    const misfit = body('started', { streamId: 7 });
    await send({ body: unknown });
    await send({ body: misfit });
    expect(intake.of('notification.unrecognized').map(({ what, body: kept }) => [what, kept])).toEqual([
      ['paused', unknown],
      ['started', misfit],
    ]);
    expect(log.lines).toHaveLength(2);
  });

  test('a stream of ours is known by its tag', async () => {
    const { send, intake } = await receiver();
    await send({ body: started('a', ['bot:house', 'op:abcdefghij-_0123']) });
    await send({ body: started('b', ['op:somebody else']) });
    const [ours, theirs] = intake.of('stream.started');
    expect(ours).toMatchObject({ own: true, causedBy: 'abcdefghij-_0123' });
    expect(theirs).not.toHaveProperty('own');
  });

  test('the poller hears of the event, also of a second time', async () => {
    const { send, notified } = await receiver();
    await send();
    await send();
    await send({ body: started('b', ['channelId:us#stage']) });
    await send({ body: started('c', []) });
    expect(notified).toHaveLength(4);
  });

  test.each([
    ['a store that fails', new StoreError('disk full'), 503],
    ['a full inbox', new InboxFullError({ events: 10, bytes: 10_240 }), 503],
    ['a bug', new TypeError('undefined is no function'), 500],
  ])('%s answers so that the platform sends it again', async (_, error, status) => {
    const { send, intake, made, notified } = await receiver();
    intake.fail = error;
    expect((await send()).status).toBe(status);
    expect(made.readiness.reason()).toContain(error.message);
    expect(notified).toEqual([]);
    intake.fail = undefined;
    expect((await send()).status).toBe(200);
    expect(made.readiness.reason()).toBeUndefined();
    expect(intake.events).toHaveLength(1);
  });

  test('a refused notification does not keep the listener unready for ever: where none comes, none could end it', async () => {
    const { send, intake, made, clock } = await receiver();
    intake.fail = new StoreError('disk full');
    await send();
    await clock.advance(14_000);
    expect(made.readiness.reason()).toContain('disk full');
    await clock.advance(1_000);
    expect(made.readiness.reason()).toBeUndefined();
  });

  test('a disk that is stuck makes 503, not a silence, and what is written later is a duplicate', async () => {
    const { send, intake, made, clock, counted } = await receiver();
    const accept = intake.accept.bind(intake);
    let release = () => {};
    const stuck = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((called) => {
      intake.accept = async (events) => {
        called();
        await stuck;
        return accept(events);
      };
    });
    const answer = send();
    await asked;
    await clock.advance(5_000);
    expect(await answer).toMatchObject({ status: 503, headers: { 'retry-after': '3' } });
    expect(made.readiness.reason()).toMatch(/slow or stuck/);
    release();
    await clock.advance(0);
    expect(intake.events).toHaveLength(1);
    expect((await send()).status).toBe(200);
    expect(intake.events).toHaveLength(1);
    expect(made.readiness.reason()).toBeUndefined();
    expect(counted.of('notification.answered 503 store')).toBe(1);
  });

  test('what is shed is told once a minute while it lasts, and that it is over', async () => {
    const { send, intake, log, clock } = await receiver();
    intake.fail = new InboxFullError({ events: 50_000, bytes: 60_000_000 }, 'room:r1');
    for (let turn = 0; turn < 50; turn += 1) await send();
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatch(/503.*room:r1 alone holds 50000 events \(60 MB\).*flood/);
    await clock.advance(60_000);
    expect(log.lines).toHaveLength(2);
    expect(log.lines[1]).toContain('"times":49');
    intake.fail = undefined;
    expect((await send()).status).toBe(200);
    await clock.advance(60_000);
    expect(log.lines).toHaveLength(3);
    expect(log.lines[2]).toMatch(/taken again.*"times":50/);
    await clock.advance(600_000);
    expect(log.lines).toHaveLength(3);
  });

  test('a clock that is hours wrong is told, and its age window is the machine’s own', async () => {
    const { send, log } = await receiver();
    const [late, early] = [NOW - 2 * 3_600_000, NOW + 2 * 3_600_000];
    expect((await send({ timestamp: String(late) })).status).toBe(401);
    expect((await send({ timestamp: String(early) })).status).toBe(401);
    expect(log.lines).toEqual([expect.stringMatching(/Compare the clocks.*too-old/)]);
    const other = await receiver({}, {}, () => late);
    expect((await other.send({ timestamp: String(late) })).status).toBe(200);
  });

  test('the unit of the first verified stamp is locked, and the other is refused from then on', async () => {
    const { send, locked } = await receiver();
    await send({ secret: 'guess', timestamp: String(NOW / 1000) });
    expect(locked).toEqual([]);
    await send();
    expect(locked).toEqual(['ms']);
    expect((await send({ timestamp: String(NOW / 1000) })).status).toBe(401);
    expect((await send()).status).toBe(200);
  });

  test('a locked unit holds after a restart, and one that could not be saved holds until then', async () => {
    const kept = await receiver({}, { timestampUnit: () => 's' });
    expect((await kept.send()).status).toBe(401);
    const unsaved = await receiver({}, { lockTimestampUnit: () => Promise.reject(new Error('read-only')) });
    expect((await unsaved.send()).status).toBe(200);
    expect(unsaved.log.lines.join()).toContain('read-only');
  });

  test('stopping answers what is under way', async () => {
    const { send, made, intake } = await receiver();
    expect(made.readiness.reason()).toBeUndefined();
    let release = () => {};
    const accepting = new Promise<void>((called) => {
      intake.accept = async (events) => {
        called();
        await new Promise<void>((resolve) => (release = resolve));
        return events.map(() => 'new');
      };
    });
    const answer = send();
    await accepting;
    const stopped = made.stop();
    release();
    await stopped;
    expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(made.readiness.reason()).toContain('not open');
    await expect(send()).rejects.toThrow(/ECONNREFUSED/);
  });
});
