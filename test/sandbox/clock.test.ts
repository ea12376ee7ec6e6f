import { describe, expect, test } from 'vitest';
import { SandboxClock } from '../../src/sandbox/clock.ts';

describe('the virtual clock', () => {
  test('stands until it is advanced, and runs what falls due in order, each at its own time', async () => {
    const clock = new SandboxClock('virtual', 1_000);
    const seen: [string, number][] = [];
    const note = (name: string) => () => void seen.push([name, clock.now()]);
    clock.after(20, note('b'));
    clock.after(10, note('a'));
    clock.after(20, note('c'));
    clock.after(31, note('late'));
    await clock.advance(30);
    expect(seen).toEqual([
      ['a', 1_010],
      ['b', 1_020],
      ['c', 1_020],
    ]);
    expect(clock.now()).toBe(1_030);
  });

  test('a timer that a timer sets, even after some promises, falls within the same advance', async () => {
    const clock = new SandboxClock('virtual', 0);
    const seen: number[] = [];
    const again = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await Promise.resolve();
      seen.push(clock.now());
      clock.after(10, () => void again());
    };
    clock.after(10, () => void again());
    await clock.advance(45);
    expect(seen).toEqual([10, 20, 30, 40]);
  });

  test('what is taken back does not run, and advances queue up', async () => {
    const clock = new SandboxClock('virtual', 0);
    const seen: string[] = [];
    const cancel = clock.after(5, () => seen.push('no'));
    clock.after(6, () => seen.push('yes'));
    cancel();
    await Promise.all([clock.advance(4), clock.advance(4)]);
    expect([clock.now(), seen]).toEqual([8, ['yes']]);
  });

  test('it waits for what is under way before it moves', async () => {
    const clock = new SandboxClock('virtual', 0);
    const seen: number[] = [];
    let waited = false;
    clock.settleWith(async () => {
      if (waited) return;
      waited = true;
      clock.after(3, () => seen.push(clock.now()));
    });
    await clock.advance(10);
    expect(seen).toEqual([3]);
  });
});

describe('the real clock', () => {
  test('follows the machine from where it starts, and can be pushed ahead', async () => {
    const clock = new SandboxClock('real', 5_000_000);
    const seen: number[] = [];
    clock.after(60_000, () => seen.push(clock.now()));
    expect(clock.now()).toBeLessThan(5_010_000);
    await clock.advance(60_000);
    expect(seen[0]).toBeGreaterThanOrEqual(5_060_000);
    clock.close();
  });

  test('runs timers by itself', async () => {
    const clock = new SandboxClock('real', Date.now());
    await expect(new Promise((resolve) => clock.after(1, () => resolve('ran')))).resolves.toBe('ran');
    clock.close();
  });
});
