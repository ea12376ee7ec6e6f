/**
 * Polling under virtual time with the real scheduler, pump, budget and poller: how long a message waits to be found,
 * how many requests a platform with a falling limit refuses, and what ten thousand quiet rooms take of memory.
 */
import { createRequestBudget } from '../src/egress/budget.ts';
import { createPollPump } from '../src/ingress/poll-pump.ts';
import { createPoller } from '../src/ingress/poller.ts';
import { createStrideScheduler, type PollEntry } from '../src/ingress/stride-scheduler.ts';
import { fakePlatform } from '../test/ingress/fake-platform.ts';
import { foldedDirectory } from '../test/ingress/folded-directory.ts';
import { seededRandom } from '../test/ingress/random.ts';
import { virtualClock } from '../test/ingress/virtual-clock.ts';
import type { Row } from './row.ts';

const ROOMS = 10_000;
const MESSAGES_PER_SECOND = 200;
const REQUESTS_PER_SECOND = 100;
const MINUTE = 60_000;
const LATENCY_MS = 40;

const atMost = (name: string, value: number, limit: number, unit: string): Row => ({
  name,
  value,
  unit,
  target: `<= ${limit} ${unit}`.trim(),
  ok: value <= limit,
});

/** Messages per second and room, by Zipf's law with exponent 1.1. */
function zipf(): readonly number[] {
  const weights = Array.from({ length: ROOMS }, (_, index) => (index + 1) ** -1.1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (weight / sum) * MESSAGES_PER_SECOND);
}

function poisson(mean: number, random: () => number): number {
  if (mean > 40) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = -1;
  for (let left = 1; left > Math.exp(-mean); left *= random()) count += 1;
  return Math.max(0, count);
}

/** Polls for `warmUpMs` and then `measureMs`; `limitAt` is what the platform answers per second at a time. */
async function simulate(of: {
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly limitAt: (ms: number) => number;
}) {
  const clock = virtualClock(0);
  const random = seededRandom(11);
  const rates = zipf();
  const lastPollAt = new Float64Array(ROOMS);
  const abort = new AbortController();
  const budget = createRequestBudget({ clock, maxPerSecond: REQUESTS_PER_SECOND });
  const scheduler = createStrideScheduler<number>({ rate: () => budget.rate, random });
  let [requests, refused, messages, delayMs] = [0, 0, 0, 0];
  let [allowed, allowedAt] = [of.limitAt(0), 0];

  /** The platform's own bucket: a second's worth may come at once. */
  const admits = (now: number) => {
    const limit = of.limitAt(now);
    allowed = Math.min(limit, allowed + ((now - allowedAt) / 1_000) * limit);
    allowedAt = now;
    if (allowed < 1) return false;
    allowed -= 1;
    return true;
  };

  const run = async (entry: PollEntry<number>) => {
    const room = entry.work;
    const sentAt = clock.now();
    const measured = sentAt >= of.warmUpMs;
    const admitted = admits(sentAt);
    await new Promise<void>((resolve) => void clock.after(LATENCY_MS, resolve));
    if (measured) requests += 1;
    if (!admitted) {
      if (measured) refused += 1;
      budget.report('limited');
      scheduler.finish(entry, clock.now(), null, 500 + 1_000 * random());
      return;
    }
    budget.report('ok');
    const waitedMs = sentAt - (lastPollAt[room] ?? 0);
    lastPollAt[room] = sentAt;
    const found = poisson(((rates[room] ?? 0) * waitedMs) / 1_000, random);
    if (measured) {
      messages += found;
      for (let index = 0; index < found; index += 1) delayMs += random() * waitedMs;
    }
    scheduler.finish(entry, clock.now(), found);
  };

  for (let room = 0; room < ROOMS; room += 1) scheduler.add(room, { minMs: 1_000, maxMs: 15_000 });
  const pump = createPollPump({ scheduler, budget, clock, concurrency: 64, signal: abort.signal, run });
  pump.wake();
  await clock.advance(of.warmUpMs + of.measureMs);
  abort.abort();
  return {
    requests,
    refused,
    meanDelay: delayMs / messages / 1_000,
    perSecond: requests / (of.measureMs / 1_000),
  };
}

async function delays(): Promise<Row[]> {
  const { meanDelay, perSecond } = await simulate({
    warmUpMs: 30 * MINUTE,
    measureMs: 60 * MINUTE,
    limitAt: () => 10 * REQUESTS_PER_SECOND,
  });
  const roots = zipf().reduce((sum, rate) => sum + Math.sqrt(rate), 0);
  const optimum = roots ** 2 / (2 * REQUESTS_PER_SECOND * MESSAGES_PER_SECOND);
  const fixed = ROOMS / (2 * perSecond);
  return [
    { name: 'polling: mean delay of a message', value: meanDelay, unit: 's', target: '', ok: true },
    atMost('polling: mean delay to the optimum', meanDelay / optimum, 1.15, 'x'),
    atMost('polling: mean delay to a fixed interval', meanDelay / fixed, 0.35, 'x'),
  ];
}

async function refusals(): Promise<Row[]> {
  const { refused, requests, perSecond } = await simulate({
    warmUpMs: 5 * MINUTE,
    measureMs: 30 * MINUTE,
    limitAt: (ms) => (Math.floor(ms / (5 * MINUTE)) % 3 === 2 ? 0.4 : 1) * REQUESTS_PER_SECOND,
  });
  return [
    { name: 'polling: requests with a falling limit', value: perSecond, unit: '/s', target: '', ok: true },
    atMost('polling: refused with a falling limit', (100 * refused) / requests, 1, '%'),
  ];
}

async function memory(): Promise<Row[]> {
  const clock = virtualClock();
  const platform = fakePlatform(clock);
  const directory = foldedDirectory();
  for (let room = 0; room < ROOMS; room += 1) platform.openRoom(`us-northeast#room-${room}`);
  const known = new Set<string>();
  const poller = createPoller({
    client: platform.client,
    intake: {
      accept: async (events) =>
        events.map((event) => {
          if (known.has(event.id)) return 'duplicate';
          known.add(event.id);
          directory.fold(event);
          return 'new';
        }),
    },
    directory,
    budget: createRequestBudget({ clock, maxPerSecond: REQUESTS_PER_SECOND }),
    clock,
    settings: {
      rooms: { everyMs: 15_000 },
      channels: { everyMs: 15_000 },
      members: { minMs: 2_000, maxMs: 30_000 },
      messages: { minMs: 1_000, maxMs: 15_000 },
    },
    log: { info() {}, warn() {}, error() {} },
    count() {},
    random: seededRandom(3),
  });
  const heap = () => {
    platform.requests.length = 0;
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  let requests = 0;
  const advance = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await clock.advance(MINUTE);
      requests += platform.requests.length;
      platform.requests.length = 0;
    }
  };
  poller.start();
  await advance(10);
  const early = heap();
  await advance(60);
  const late = heap();
  const resident = process.memoryUsage().rss / 2 ** 20;
  await poller.stop();
  return [
    { name: 'polling: polls of 10,000 quiet rooms', value: requests, unit: '', target: '', ok: requests > 0 },
    atMost('polling: resident with 10,000 quiet rooms', resident, 400, 'MB'),
    atMost('polling: growth in an hour of it', late - early, 5, 'MB'),
  ];
}

export async function run(): Promise<Row[]> {
  return [...(await memory()), ...(await delays()), ...(await refusals())];
}
