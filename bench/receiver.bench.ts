/**
 * The receiver (verify, validate, dedupe, durable journal, 200) against a bare Fastify route that only does the two
 * hash checks, with 600-byte bodies over 64 connections. A peer to compare with as well can be named in
 * USHER_BENCH_PEER: the address of a module that exports `listen(secret)` and resolves with a `Target`.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { fastify } from 'fastify';
import type { UsherEvent } from '../src/domain/event.ts';
import type { LaneKey } from '../src/domain/lane-key.ts';
import { placeKey } from '../src/domain/place.ts';
import type { Clock, Intake } from '../src/engine/ports.ts';
import { placeOfTags } from '../src/ingress/place-of-tags.ts';
import { createWebhookReceiver } from '../src/ingress/webhook-receiver.ts';
import { signNotification } from '../src/platform/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { buildWorker } from '../test/store/built-worker.ts';
import type { Row } from './row.ts';

/** A server under load, and how a body is sent to it. */
interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: (body: string) => Readonly<Record<string, string>>;
  readonly close: () => Promise<unknown>;
}

const SECRET = 'a-secret-of-the-usual-length-1234';
const PATH = '/webhooks/platform';
const BODY_BYTES = 600;
const CONNECTIONS = 64;
const REQUESTS = 8_000;
const ROUNDS = 7;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/** Whether all of an answer has come: as long as it says, or to its last chunk. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1];
  return length === undefined ? answer.endsWith('0\r\n\r\n') : answer.length >= head + 4 + Number(length);
}

/** In the worker: sends all requests over so many connections, one after the other on each; answers with the ms it took. */
async function load(port: number, requests: readonly Uint8Array[]): Promise<number> {
  let next = 0;
  const started = performance.now();
  const line = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const send = () => {
        const request = requests[next];
        next += 1;
        if (request === undefined) socket.end(resolve);
        else socket.write(request);
      };
      let answer = '';
      socket.setEncoding('latin1').setNoDelay(true);
      socket.once('connect', send).once('error', reject);
      socket.on('data', (chunk: string) => {
        answer += chunk;
        if (!isWhole(answer)) return;
        if (!answer.startsWith('HTTP/1.1 200')) reject(new Error(answer));
        answer = '';
        send();
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
  return performance.now() - started;
}

if (!isMainThread) {
  parentPort?.on('message', ({ port, requests }: { port: number; requests: readonly Uint8Array[] }) => {
    void load(port, requests).then((ms) => parentPort?.postMessage(ms)); // oxlint-disable-line unicorn/require-post-message-target-origin -- a thread, not a window
  });
}

const CHANNELS = 100;
let serial = 0;

function body(): string {
  serial += 1;
  const make = (filler: string) =>
    JSON.stringify({
      apiVersion: 0,
      entity: 'stream',
      what: 'started',
      data: {
        streamId: `us-northeast#US-ASHBURN-AD-1.wTa8U91C.20210408.${serial}`,
        tags: [
          `channelId:northamerica-northeast#example.tv#65998Ca15D7F43D7Ab.${serial % CHANNELS}`,
          'channelAlias:65998ca1-5d7f-43d7-ab',
          `note:${filler}`,
        ],
      },
      sessionId: 'us-northeast#3k6FqA67A5a0zphbcOHmNH',
      timestamp: new Date().toISOString(),
    });
  return make('x'.repeat(BODY_BYTES - make('').length));
}

const requestsFor = ({ path, headers }: Target): Uint8Array[] =>
  Array.from({ length: REQUESTS }, () => {
    const text = body();
    const lines = Object.entries({ host: 'x', 'content-length': String(text.length), ...headers(text) });
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${text}`,
    );
  });

const signed = (text: string) =>
  signNotification({
    secret: SECRET,
    method: 'POST',
    target: PATH,
    contentType: 'application/json',
    timestamp: String(Date.now()),
    body: text,
  });

async function bareRoute(): Promise<Target> {
  const server = fastify();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, bytes, done) =>
    done(null, bytes),
  );
  const same = (left: string, right: string) =>
    left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
  server.post(PATH, (request, reply) => {
    const { method, headers } = request;
    const sha256 = String(headers['x-service-content-sha256']);
    const text = `${method}${request.raw.url}${sha256}${headers['content-type']}${String(headers['x-service-timestamp'])}`;
    const mac = createHmac('sha256', SECRET).update(text).digest('base64');
    const fits =
      same(sha256, hash('sha256', request.body as Buffer, 'base64')) && // The parser above gives buffers.
      same(String(headers.authorization), `HMAC-SHA256 ${mac}`);
    return reply.code(fits ? 200 : 401).send({ status: fits ? 'ok' : 'unauthorized' });
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  // A TCP listener's address is never a string or null.
  const { port } = server.server.address() as AddressInfo;
  return { port, path: PATH, headers: signed, close: () => server.close() };
}

/** As the daemon has it, but nothing is durable: what the receiver alone takes. */
const inMemory = (): Promise<Target> => {
  const ids = new Set<string>();
  return listen(
    {
      accept: async (events) =>
        events.map(({ id }) => {
          if (ids.has(id)) return 'duplicate';
          ids.add(id);
          return 'new';
        }),
    },
    async () => {},
  );
};

/** As the engine finds it. */
const laneOf = (event: UsherEvent): LaneKey => {
  const place = 'tags' in event ? placeOfTags(event.tags) : undefined;
  return place ? placeKey(place) : 'daemon';
};

async function durable(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-receiver-'));
  const sources = pathToFileURL(process.env.USHER_BENCH_FOLDER ?? `${import.meta.dirname}/`);
  const storeWorker = await buildWorker(new URL('../src/store/store-worker.ts', sources));
  const store = await openStore({
    path: join(folder, 'usher.db'),
    clock,
    thread: 'worker',
    workerFile: storeWorker.file,
  });
  const intake: Intake = {
    async accept(events) {
      const rows = await store.journal.append(events.map((event) => ({ lane: laneOf(event), event })));
      return rows.map((row) => (row === 'duplicate' ? 'duplicate' : 'new'));
    },
  };
  return listen(intake, async () => {
    await store.close();
    storeWorker.remove();
    rmSync(folder, { recursive: true, force: true });
  });
}

async function listen(intake: Intake, afterwards: () => Promise<void>): Promise<Target> {
  const made = createWebhookReceiver(
    { host: '127.0.0.1', port: 0, path: PATH, secrets: [SECRET] },
    {
      intake,
      operator: { timestampUnit: () => 'ms', lockTimestampUnit: async () => {} },
      clock,
      log: { info() {}, warn() {}, error() {} },
      count() {},
    },
  );
  const { port } = await made.start();
  const close = async () => {
    await made.stop();
    await afterwards();
  };
  return { port, path: PATH, headers: signed, close };
}

async function peer(): Promise<Target | undefined> {
  const address = process.env.USHER_BENCH_PEER;
  if (address === undefined) return undefined;
  // The operator of the bench names the module and answers for its shape.
  const { listen } = (await import(address)) as { listen: (secret: string) => Promise<Target> };
  return listen(SECRET);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export async function run(): Promise<Row[]> {
  const worker = new Worker(new URL(import.meta.url));
  /** How fast it was, and what it took of all threads together: µs of CPU a request, the sender's among them. */
  const measure = async (
    target: Target,
  ): Promise<{ readonly perSecond: number; readonly micros: number }> => {
    const requests = requestsFor(target);
    const before = process.cpuUsage();
    const ms = await new Promise<number>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage({ port: target.port, requests }); // oxlint-disable-line unicorn/require-post-message-target-origin -- a thread, not a window
    });
    worker.removeAllListeners('error');
    const { user, system } = process.cpuUsage(before);
    return { perSecond: (REQUESTS * 1_000) / ms, micros: (user + system) / REQUESTS };
  };

  const targets = {
    bare: await bareRoute(),
    durable: await durable(),
    memory: await inMemory(),
    peer: await peer(),
  };
  const seen = {
    bare: [] as number[],
    durable: [] as number[],
    memory: [] as number[],
    peer: [] as number[],
  };
  const cpu = { bare: [] as number[], durable: [] as number[], memory: [] as number[], peer: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['bare', 'durable', 'memory', 'peer'] as const) {
      const target = targets[name];
      const measured = target && (await measure(target));
      // The first round warms up.
      if (measured === undefined || round === 0) continue;
      seen[name].push(measured.perSecond);
      cpu[name].push(measured.micros);
    }
  }
  await worker.terminate();
  for (const target of Object.values(targets)) await target?.close();

  const ratio = (to: readonly number[]) =>
    median(seen.durable.map((value, round) => value / (to[round] ?? Infinity)));
  const [toBare, toPeer] = [ratio(seen.bare), ratio(seen.peer)];
  const durablePath = median(cpu.durable) - median(cpu.memory);
  const info = (name: string, values: readonly number[]): Row => ({
    name,
    value: median(values),
    unit: '/s',
    target: '',
    ok: true,
  });
  return [
    info('receiver: notifications, durable', seen.durable),
    info('receiver: notifications, journal in memory', seen.memory),
    info('receiver: bare Fastify route', seen.bare),
    {
      name: 'receiver: to a bare Fastify route',
      value: toBare,
      unit: 'x',
      target: '>= 0.7 x',
      ok: toBare >= 0.7,
    },
    {
      name: 'receiver: CPU of the durable path, beyond verification and validation',
      value: durablePath,
      unit: 'µs',
      target: '<= 25',
      ok: durablePath <= 25,
    },
    ...(targets.peer
      ? [
          info('receiver: peer', seen.peer),
          { name: 'receiver: to the peer', value: toPeer, unit: 'x', target: '>= 2 x', ok: toPeer >= 2 },
        ]
      : []),
  ];
}
