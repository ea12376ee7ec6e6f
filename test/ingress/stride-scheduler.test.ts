import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStrideScheduler, type Rhythm } from '../../src/ingress/stride-scheduler.ts';
import { seededRandom } from './random.ts';

const BETWEEN: Rhythm = { minMs: 1_000, maxMs: 60_000 };

/** Polls whatever is ready, `perSecond` at most, for so long; `found` is what a poll of a place finds. */
function drive<T>(of: {
  readonly places: readonly (readonly [T, Rhythm])[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly found?: (work: T, sinceMs: number) => number;
}) {
  const scheduler = createStrideScheduler<T>({ rate: () => of.perSecond, random: seededRandom(5) });
  for (const [work, rhythm] of of.places) scheduler.add(work, rhythm);
  const polls = new Map<T, number[]>(of.places.map(([work]) => [work, []]));
  const stepMs = 1_000 / of.perSecond;
  for (let now = 0; now < of.seconds * 1_000; now += stepMs) {
    const entry = scheduler.start('poll', now);
    if (!entry) continue;
    const times = polls.get(entry.work);
    const since = now - (times?.at(-1) ?? now);
    times?.push(now);
    scheduler.finish(entry, now, of.found?.(entry.work, since) ?? 0);
  }
  const intervals = (work: T) =>
    (polls.get(work) ?? []).slice(1).map((at, index) => at - (polls.get(work)?.[index] ?? 0));
  return { polls, intervals };
}

const several = (count: number, rhythm: Rhythm = BETWEEN) =>
  Array.from({ length: count }, (_, index) => [index, rhythm] as const);

describe('turns', () => {
  test('every place has its first poll before any has its second, as long as the budget is short', () => {
    const { polls } = drive({ places: several(100), perSecond: 10, seconds: 10 });
    expect([...polls.values()].every(({ length }) => length === 1)).toBe(true);
  });

  test('the whole budget is used while anything may be polled', () => {
    const { polls } = drive({ places: several(500), perSecond: 20, seconds: 600 });
    expect([...polls.values()].flat()).toHaveLength(20 * 600);
  });

  test('four times the activity brings about twice the polls, beside the even share', () => {
    const places = several(200, { minMs: 1_000, maxMs: 600_000 });
    const { polls } = drive({
      places,
      perSecond: 20,
      seconds: 7_200,
      found: (work, since) => ((work < 100 ? 0.4 : 0.1) * since) / 1_000,
    });
    const count = (from: number, to: number) =>
      [...polls]
        .filter(([work]) => work >= from && work < to)
        .reduce((sum, [, times]) => sum + times.length, 0);
    const ratio = count(0, 100) / count(100, 200);
    // 0.2 even + 0.8 by root: (0.2 + 0.8 · 4/3) / (0.2 + 0.8 · 2/3).
    expect(ratio).toBeGreaterThan(1.6);
    expect(ratio).toBeLessThan(1.85);
  });

  test('a dead place among busy ones still has its part of the even share', () => {
    const { polls } = drive({
      places: several(100, { minMs: 100, maxMs: 3_600_000 }),
      perSecond: 10,
      seconds: 3_600,
      found: (work, since) => (work === 0 ? 0 : since / 100),
    });
    expect(polls.get(0)?.length).toBeGreaterThan(0.15 * 360);
  });

  test('no interval is below the least one, and none above the most while the budget can pay for it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: 0, max: 5, noNaN: true }), { minLength: 2, maxLength: 30 }),
        (activities) => {
          const { intervals } = drive({
            places: several(activities.length, { minMs: 1_000, maxMs: 15_000 }),
            perSecond: 10,
            seconds: 300,
            found: (work, since) => ((activities[work] ?? 0) * since) / 1_000,
          });
          for (const work of activities.keys()) {
            // The first and second turns come sooner than asked, never later.
            for (const interval of intervals(work)) {
              expect(interval).toBeGreaterThanOrEqual(1_000);
              expect(interval).toBeLessThan(15_000 * 1.6);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('what has a fixed interval keeps it, however short the budget is', () => {
    const { intervals } = drive({
      places: [[-1, { everyMs: 15_000 }], ...several(1_000)],
      perSecond: 10,
      seconds: 600,
    });
    for (const interval of intervals(-1)) expect(Math.abs(interval - 15_000)).toBeLessThanOrEqual(200);
    expect(intervals(-1).length).toBeGreaterThan(35);
  });

  test('nothing is made up for after a time of back-off', () => {
    const scheduler = createStrideScheduler<string>({ rate: () => 10, random: seededRandom(1) });
    scheduler.add('a', BETWEEN);
    const first = scheduler.start('poll', 0)!;
    scheduler.finish(first, 0, null, 30_000);
    expect(scheduler.start('poll', 29_999)).toBeUndefined();
    expect(scheduler.readyAt('poll')).toBe(30_000);
    const second = scheduler.start('poll', 30_000)!;
    scheduler.finish(second, 30_000, 0);
    expect(scheduler.start('poll', 30_999)).toBeUndefined();
  });

  test('who comes back from a long back-off takes its turn among the others, and no more', () => {
    const scheduler = createStrideScheduler<string>({ rate: () => 10, random: seededRandom(1) });
    for (const work of ['a', 'b', 'c', 'd']) scheduler.add(work, { minMs: 1, maxMs: 60_000 });
    let polls = 0;
    for (let now = 0; now < 700_000; now += 100) {
      const entry = scheduler.start('poll', now);
      if (!entry) continue;
      const backsOff = entry.work === 'a' && now < 1_000;
      if (entry.work === 'a' && now > 600_000) polls += 1;
      scheduler.finish(entry, now, backsOff ? null : 0, backsOff ? 600_000 : 0);
    }
    expect(polls).toBeGreaterThan(100);
    // More than a quarter, since less is known of it; far from all.
    expect(polls).toBeLessThan(600);
  });

  test('what was removed is polled no more, also when it was running', () => {
    const scheduler = createStrideScheduler<string>({ rate: () => 10, random: seededRandom(1) });
    const [a, b] = [scheduler.add('a', BETWEEN), scheduler.add('b', BETWEEN)];
    const running = scheduler.start('poll', 0)!;
    scheduler.remove(a);
    scheduler.remove(b);
    scheduler.remove(b);
    scheduler.finish(running, 0, 3);
    scheduler.hint(a, 0);
    expect(scheduler.size).toBe(0);
    expect([scheduler.readyAt('poll'), scheduler.readyAt('hinted')]).toEqual([Infinity, Infinity]);
  });
});

describe('hints', () => {
  test('hints fall together, the earliest counts, and one during a poll comes after it', () => {
    const scheduler = createStrideScheduler<string>({ rate: () => 10, random: seededRandom(1) });
    const entry = scheduler.add('a', BETWEEN);
    scheduler.hint(entry, 5_000);
    scheduler.hint(entry, 2_000);
    scheduler.hint(entry, 9_000);
    expect(scheduler.readyAt('hinted')).toBe(2_000);
    expect(scheduler.start('hinted', 1_999)).toBeUndefined();
    expect(scheduler.start('hinted', 2_000)).toBe(entry);
    scheduler.hint(entry, 2_100);
    expect(scheduler.readyAt('hinted')).toBe(Infinity);
    scheduler.finish(entry, 2_200, 0);
    expect(scheduler.readyAt('hinted')).toBe(3_000);
  });
});

test('a poll of several requests has used up as many turns', () => {
  const scheduler = createStrideScheduler<string>({ rate: () => 20, random: seededRandom(1) });
  const rhythm = { minMs: 1, maxMs: 60_000 };
  for (const work of ['long', 'short']) scheduler.add(work, rhythm);
  const turns = { long: 0, short: 0 };
  for (let now = 0; now < 100_000; now += 50) {
    const entry = scheduler.start('poll', now);
    if (!entry) continue;
    const long = entry.work === 'long';
    turns[long ? 'long' : 'short'] += 1;
    scheduler.finish(entry, now, 0, 0, long ? 4 : 1);
  }
  expect(turns.short / turns.long).toBeCloseTo(4, 0);
});
