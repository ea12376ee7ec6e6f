import { describe, expect, test } from 'vitest';
import { createRequestBudget } from '../../src/egress/budget.ts';
import type { BudgetClass } from '../../src/engine/ports.ts';
import { settleDown, virtualClock } from './virtual-clock.ts';

const drained = (maxPerSecond: number, more: { minPerSecond?: number; gainPerSecond?: number } = {}) => {
  const clock = virtualClock();
  const budget = createRequestBudget({ clock, maxPerSecond, ...more });
  const served: string[] = [];
  const claim = (kind: BudgetClass, name: string = kind, signal?: AbortSignal) =>
    budget.take(kind, signal).then(
      () => served.push(name),
      () => served.push(`${name} aborted`),
    );
  return { clock, budget, served, claim };
};

describe('the request budget', () => {
  test('serves actions before read-backs before hinted places before polls, whatever came first', async () => {
    const { clock, budget, served, claim } = drained(10);
    budget.report('limited'); // empties the bucket
    for (const kind of ['poll', 'hinted', 'readBack', 'action'] as const) void claim(kind);
    await settleDown();
    expect(served).toEqual([]);
    await clock.advance(5_000);
    expect(served).toEqual(['action', 'readBack', 'hinted', 'poll']);
  });

  test('is fair within a class', async () => {
    const { clock, budget, served, claim } = drained(10);
    budget.report('limited');
    for (const name of ['a', 'b', 'c']) void claim('poll', name);
    await clock.advance(5_000);
    expect(served).toEqual(['a', 'b', 'c']);
  });

  test('lets polls go at the rate and no faster', async () => {
    const { clock, served, claim } = drained(50);
    const ask = (): Promise<unknown> => claim('poll').then(ask);
    for (let i = 0; i < 8; i += 1) void ask();
    await clock.advance(10_000);
    expect(served.length).toBeGreaterThanOrEqual(500);
    expect(served.length).toBeLessThanOrEqual(504);
  });

  test('keeps a token for an action however busily we poll', async () => {
    const { clock, served, claim } = drained(4);
    const ask = (): Promise<unknown> => claim('poll').then(ask);
    for (let i = 0; i < 8; i += 1) void ask();
    await clock.advance(3_000);
    const before = served.length;
    void claim('action');
    await settleDown();
    expect(served.slice(before)).toEqual(['action']);
  });

  test('an abort frees the place in the line and rejects', async () => {
    const { clock, budget, served, claim } = drained(10);
    budget.report('limited');
    const controller = new AbortController();
    void claim('action', 'first', controller.signal);
    void claim('poll', 'second');
    controller.abort();
    await clock.advance(5_000);
    expect(served).toEqual(['first aborted', 'second']);
    await expect(budget.take('poll', controller.signal)).rejects.toThrow('aborted');
    expect(clock.waiting).toBe(0);
  });

  test('cuts the rate at most once a second and regains it slowly', async () => {
    const { clock, budget } = drained(100, { gainPerSecond: 1 });
    for (let i = 0; i < 50; i += 1) budget.report('limited');
    expect(budget.rate).toBeCloseTo(60);
    await clock.advance(1_000);
    budget.report('limited');
    expect(budget.rate).toBeCloseTo(36);
    for (let second = 0; second < 10; second += 1) {
      await clock.advance(1_000);
      budget.report('ok');
      budget.report('ok');
    }
    expect(budget.rate).toBeCloseTo(46);
  });

  test('stays between the floor and the ceiling', async () => {
    const { clock, budget } = drained(10, { minPerSecond: 2 });
    for (let i = 0; i < 30; i += 1) {
      budget.report('limited');
      await clock.advance(1_000);
    }
    expect(budget.rate).toBe(2);
    for (let i = 0; i < 1_000; i += 1) {
      await clock.advance(1_000);
      budget.report('ok');
    }
    expect(budget.rate).toBe(10);
  });

  test('a platform whose limit drops to 40 % for a third of the time refuses at most 1 %', async () => {
    const { clock, budget, claim } = drained(100);
    const limitAt = (at: number) => (Math.floor(at / 300_000) % 3 === 1 ? 40 : 105);
    let theirs = 20;
    let filledAt = 0;
    let sent = 0;
    let refused = 0;
    const ask = async (): Promise<void> => {
      for (;;) {
        await claim('poll');
        const now = clock.monotonic();
        theirs = Math.min(limitAt(now) / 5, theirs + ((now - filledAt) / 1_000) * limitAt(now));
        filledAt = now;
        sent += 1;
        if (theirs >= 1) {
          theirs -= 1;
          budget.report('ok');
        } else {
          refused += 1;
          budget.report('limited');
        }
      }
    };
    void ask();
    await clock.advance(900_000);
    expect(refused / sent).toBeLessThan(0.01);
    expect(refused).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(0.75 * (100 * 600 + 40 * 300));
  });
});
