import { expect, test } from 'vitest';
import type { BudgetClass, RequestBudget } from '../../src/engine/ports.ts';
import { createPollPump } from '../../src/ingress/poll-pump.ts';
import { createStrideScheduler } from '../../src/ingress/stride-scheduler.ts';
import { seededRandom } from './random.ts';
import { settle, virtualClock } from './virtual-clock.ts';

function setup(tookMs: number, concurrency: number) {
  const clock = virtualClock(0);
  const abort = new AbortController();
  const taken: BudgetClass[] = [];
  const budget: RequestBudget = {
    rate: 100,
    report() {},
    take: (claim) => {
      taken.push(claim);
      return Promise.resolve();
    },
  };
  const scheduler = createStrideScheduler<string>({ rate: () => 100, random: seededRandom(2) });
  const started: string[] = [];
  let most = 0;
  const pump = createPollPump({
    scheduler,
    budget,
    clock,
    concurrency,
    signal: abort.signal,
    async run(entry) {
      started.push(entry.work);
      most = Math.max(most, pump.inFlight + 1);
      await new Promise<void>((resolve) => void clock.after(tookMs, resolve));
      scheduler.finish(entry, clock.now(), 0);
    },
  });
  return { clock, abort, scheduler, pump, started, taken, most: () => most };
}

const RHYTHM = { minMs: 1_000, maxMs: 10_000 };

test('no more run at once than may', async () => {
  const { clock, scheduler, pump, started, most } = setup(5_000, 4);
  for (let index = 0; index < 40; index += 1) scheduler.add(`p${index}`, RHYTHM);
  pump.wake();
  await clock.advance(60_000);
  expect(most()).toBeLessThanOrEqual(5);
  expect(started.length).toBeGreaterThan(40);
});

test('hinted places go on the hinted claim, and nothing is asked of the budget while nothing may be polled', async () => {
  const { clock, scheduler, pump, started, taken } = setup(0, 4);
  const entry = scheduler.add('a', { minMs: 10_000, maxMs: 10_000 });
  pump.wake();
  await clock.advance(1_000);
  expect(taken).toEqual(['poll']);
  scheduler.hint(entry, 9_000);
  pump.wake();
  await clock.advance(8_900);
  expect(started).toEqual(['a']);
  await clock.advance(200);
  expect(taken[1]).toBe('hinted');
  expect(started).toEqual(['a', 'a']);
});

test('stopping waits for what runs and starts nothing more', async () => {
  const { clock, scheduler, pump, started } = setup(5_000, 4);
  for (let index = 0; index < 10; index += 1) scheduler.add(`p${index}`, RHYTHM);
  pump.wake();
  await clock.advance(10);
  const before = started.length;
  let stopped = false;
  const stopping = pump.stop().then(() => (stopped = true));
  await clock.advance(4_000);
  expect(stopped).toBe(false);
  await clock.advance(2_000);
  await stopping;
  pump.wake();
  await settle();
  expect(started).toHaveLength(before);
});
