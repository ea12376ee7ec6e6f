import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  AbortedError,
  createPlatformClient,
  OutcomeUnknownError,
  PlatformError,
  TransportError,
  type CallOptions,
  type PlatformClient,
  type PlatformClientOptions,
} from '../../src/platform/index.ts';
import { CHANNEL, MEMBER, ROOM } from './samples.ts';
import { html, json, OK, scriptedTransport, type Scripted } from './scripted-transport.ts';
import { virtualTime } from './virtual-time.ts';

const CALLS = {
  read: (client: PlatformClient, options?: CallOptions) => client.getRoom({ roomId: 'r' }, options),
  idempotent: (client: PlatformClient, options?: CallOptions) =>
    client.terminateStream({ streamId: 's', reason: '' }, options),
  createGuarded: (client: PlatformClient, options?: CallOptions) =>
    client.createChannel({ channel: { alias: '', name: 'n', description: '', options: [] } }, options),
  unsafe: (client: PlatformClient, options?: CallOptions) => client.killRoom({ roomId: 'r' }, options),
} as const;
type Kind = keyof typeof CALLS;

const SUCCESS: Readonly<Record<Kind, Scripted>> = {
  read: json(200, { status: 'ok', room: ROOM }),
  idempotent: OK,
  createGuarded: json(200, { status: 'ok', channel: CHANNEL }),
  unsafe: json(200, { status: 'ok', killedMembers: [MEMBER] }),
};
const CAPACITY = json(503, { status: 'capacity' });
const LIMITED = json(504, { status: 'rate-limited' });
const EXCEEDED = json(504, { status: 'time-exceeded' });
const REFUSED = { code: 'ECONNREFUSED' };
const RESET = { code: 'ECONNRESET' };

async function run(
  kind: Kind,
  script: readonly Scripted[],
  options: CallOptions = {},
  client: Partial<PlatformClientOptions> = {},
  time = virtualTime(),
) {
  const transport = scriptedTransport(script);
  const at: number[] = [];
  const hooks = { onRequest: () => void at.push(time.monotonic()) };
  const platform = createPlatformClient({
    baseUrl: 'http://127.0.0.1',
    applicationId: 'app',
    secret: 'secret',
    transport,
    time,
    random: () => 0.5,
    hooks,
    ...client,
  });
  const outcome = await time.settle<unknown>(CALLS[kind](platform, options));
  const error = 'error' in outcome ? outcome.error : undefined;
  if (error !== undefined && !(error instanceof PlatformError)) throw error;
  return { error, at, endedAt: time.monotonic(), platform, time, transport };
}

describe('what comes of a call, by the safety class of its operation', () => {
  /** Per failure that is followed by a success: requests sent, or the code of the error that stands. */
  const matrix: [string, Scripted, Record<Kind, number | string>][] = [
    ['503 capacity', CAPACITY, { read: 2, idempotent: 2, createGuarded: 2, unsafe: 2 }],
    ['a bare 503', html(503), { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    ['504 rate-limited', LIMITED, { read: 2, idempotent: 2, createGuarded: 2, unsafe: 2 }],
    ['504 time-exceeded', EXCEEDED, { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    ['a bare 504', html(504), { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    ['500', html(500), { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    ['408', html(408), { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    ['connection refused', REFUSED, { read: 2, idempotent: 2, createGuarded: 2, unsafe: 2 }],
    ['a reset', RESET, { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    ['a hang', 'hang', { read: 2, idempotent: 2, createGuarded: 2, unsafe: 'outcome-unknown' }],
    [
      '400',
      html(400),
      {
        read: 'invalid-request',
        idempotent: 'invalid-request',
        createGuarded: 'invalid-request',
        unsafe: 'invalid-request',
      },
    ],
    [
      '401',
      html(401),
      {
        read: 'unauthorized',
        idempotent: 'unauthorized',
        createGuarded: 'unauthorized',
        unsafe: 'unauthorized',
      },
    ],
    [
      '404',
      html(404),
      { read: 'not-found', idempotent: 'not-found', createGuarded: 'not-found', unsafe: 'not-found' },
    ],
    [
      'HTML with 200',
      html(200),
      { read: 'protocol', idempotent: 'protocol', createGuarded: 'protocol', unsafe: 'outcome-unknown' },
    ],
  ];
  const cases = matrix.flatMap(([name, failure, expected]) =>
    (Object.keys(CALLS) as Kind[]).map((kind) => [name, kind, failure, expected[kind]] as const),
  );

  test.each(cases)('%s, %s', async (_, kind, failure, expected) => {
    const { error, at } = await run(kind, [failure, SUCCESS[kind]]);
    expect(error?.code ?? at.length).toBe(expected);
    expect(at).toHaveLength(error === undefined ? 2 : 1);
  });

  test.each(cases)('%s, %s, sent once when told so', async (_, kind, failure) => {
    const { error, at } = await run(kind, [failure, SUCCESS[kind]], { retry: 'never' });
    expect(error).toBeInstanceOf(PlatformError);
    expect(at).toHaveLength(1);
  });

  test.each([
    ['refused', html(404), 'refused'],
    ['overloaded', CAPACITY, 'nothing'],
    ['rate-limited', LIMITED, 'nothing'],
    ['not connected', REFUSED, 'nothing'],
    ['reset', RESET, 'unknown'],
    ['late', 'hang', 'unknown'],
    ['misread', html(200), 'unknown'],
  ] as const)('a single attempt that was %s tells whether the deed happened', async (_, failure, outcome) => {
    expect((await run('unsafe', [failure], { retry: 'never' })).error?.outcome).toBe(outcome);
    const read = await run('read', [failure], { retry: 'never' });
    expect(read.error?.outcome).toBe(outcome === 'unknown' ? 'nothing' : outcome);
  });
});

describe('the times of attempts', () => {
  test('are: at once, then a doubling back-off with full jitter, five in all', async () => {
    const { at, error } = await run('read', [html(500)]);
    expect(at).toEqual([0, 0, 250, 750, 1750]);
    expect(error).toMatchObject({ code: 'server-error', attempts: 5 });
  });

  test('are two for 503, the second after a little', async () => {
    const { at, error } = await run('unsafe', [CAPACITY]);
    expect(at).toEqual([0, 625]);
    expect(error).toMatchObject({ code: 'capacity', outcome: 'nothing', attempts: 2 });
  });

  test('keep a call that hangs within its minute, the last attempt shortened', async () => {
    const { at, endedAt } = await run('read', ['hang'], { deadlineMs: 25_000 });
    expect(at).toEqual([0, 25_000, 50_250]);
    expect(endedAt).toBe(60_000);
  });

  test('hold the deadline of the client, or of the call', async () => {
    expect(await run('unsafe', ['hang'], {}, { deadlineMs: 700 })).toMatchObject({ endedAt: 700 });
    const { error, endedAt } = await run('unsafe', ['hang'], { deadlineMs: 300 });
    expect(endedAt).toBe(300);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error?.cause).toBeInstanceOf(TransportError);
    expect(error?.cause).toMatchObject({ fault: 'deadline' });
  });

  test('follow another policy', async () => {
    const retry = { attempts: 3, baseMs: 10 };
    expect((await run('read', [html(500)], {}, { retry })).at).toEqual([0, 0, 5]);
  });
});

describe('what an earlier attempt may have done', () => {
  const ENDED = json(410, { status: 'already-ended' });

  test('makes "already" a success', async () => {
    expect(await run('idempotent', [RESET, ENDED])).toMatchObject({ error: undefined });
  });

  test('is nothing when it was provably not sent, and "already" is what somebody else did', async () => {
    const { error } = await run('idempotent', [REFUSED, ENDED]);
    expect(error).toMatchObject({ code: 'gone', outcome: 'refused', rawStatus: 'already-ended' });
  });

  test('is nothing at the first attempt', async () => {
    expect((await run('idempotent', [ENDED])).error).toMatchObject({ code: 'gone', outcome: 'refused' });
  });

  test('stays in doubt when a later answer does not tell', async () => {
    const { error } = await run('idempotent', [html(500), html(404)]);
    expect(error).toMatchObject({ code: 'not-found', outcome: 'unknown', attempts: 2 });
    const created = await run('createGuarded', [
      RESET,
      json(409, { status: 'already-exists', channel: CHANNEL }),
    ]);
    expect(created.error).toMatchObject({
      code: 'conflict',
      outcome: 'unknown',
      existing: { kind: 'channel' },
    });
  });
});

describe('a signal', () => {
  test('that is aborted already sends nothing', async () => {
    const { error, at } = await run('unsafe', [], { signal: AbortSignal.abort('why') });
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ outcome: 'nothing', attempts: 0, cause: 'why' });
    expect(at).toEqual([]);
  });

  test('ends a request under way, whose outcome is unknown', async () => {
    const controller = new AbortController();
    const time = virtualTime();
    time.after(100, () => controller.abort());
    const { error, endedAt } = await run('unsafe', ['hang'], { signal: controller.signal }, {}, time);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error?.outcome).toBe('unknown');
    expect(endedAt).toBe(100);
  });

  test('ends a wait between attempts', async () => {
    const controller = new AbortController();
    const time = virtualTime();
    time.after(100, () => controller.abort());
    const { error, transport } = await run('unsafe', [CAPACITY], { signal: controller.signal }, {}, time);
    expect(error).toMatchObject({ code: 'aborted', outcome: 'nothing', attempts: 1 });
    expect(transport.sent).toHaveLength(1);
    expect(time.monotonic()).toBe(100);
  });
});

test('one signal for many calls brings no warning, and keeps no listener', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 30 }, () => run('read', [html(500), html(500), SUCCESS.read], { signal })),
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('the budget of retries', () => {
  test('is shared by the calls of a client: an outage is not answered with five times the requests', async () => {
    const retryBudget = { capacity: 6, refund: 0.1 };
    const { platform, time, transport } = await run('read', [html(500)], {}, { retryBudget });
    for (let call = 0; call < 10; call += 1) await time.settle(platform.getRoom({ roomId: 'r' }));
    expect(transport.sent).toHaveLength(11 + 6);
  });
});

describe('hooks', () => {
  test('see attempts, retries, codes and durations', async () => {
    const seen: object[] = [];
    const time = virtualTime();
    await run(
      'read',
      ['hang', CAPACITY, SUCCESS.read],
      { deadlineMs: 50 },
      {
        hooks: {
          onRequest: (info) => void seen.push({ request: info }),
          onResponse: (info) => void seen.push({ response: info }),
          onRetry: (info) => void seen.push({ retry: info }),
        },
      },
      time,
    );
    const operation = 'getRoom';
    expect(seen).toEqual([
      { request: { operation, attempt: 1 } },
      { response: { operation, attempt: 1, durationMs: 50, httpStatus: undefined, code: 'transport' } },
      { retry: { operation, attempt: 2, delayMs: 0, code: 'transport' } },
      { request: { operation, attempt: 2 } },
      { response: { operation, attempt: 2, durationMs: 0, httpStatus: 503, code: 'capacity' } },
      { retry: { operation, attempt: 3, delayMs: 625, code: 'capacity' } },
      { request: { operation, attempt: 3 } },
      { response: { operation, attempt: 3, durationMs: 0, httpStatus: 200, code: 'ok' } },
    ]);
  });
});
