import { describe, expect, test } from 'vitest';
import { createSteadyClock } from '../../src/daemon/steady-clock.ts';
import { tellClockWasSet } from '../../src/daemon/tell-clock-was-set.ts';

const NOON = 1_800_000_000_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A machine whose clock somebody sets while time passes. */
function machine() {
  let [passed, shows] = [0, NOON];
  const told: number[] = [];
  const clock = createSteadyClock(
    { now: () => shows, monotonic: () => passed, after: () => () => {} },
    (byMs) => told.push(byMs),
  );
  return {
    clock,
    told,
    set: (byMs: number) => void (shows += byMs),
    /** Lets time pass in steps, and the clock be read at each, as in a daemon that has something to do. */
    pass(ms: number, stepMs = 1_000): readonly number[] {
      const read: number[] = [];
      for (let left = ms; left > 0; left -= stepMs) {
        passed += Math.min(left, stepMs);
        shows += Math.min(left, stepMs);
        read.push(clock.now());
      }
      return read;
    },
  };
}

describe('the daemon’s time', () => {
  test('is the machine’s while nobody sets it', () => {
    const { clock, pass, told } = machine();
    pass(10 * HOUR, MINUTE);
    expect(clock.now()).toBe(NOON + 10 * HOUR);
    expect(told).toEqual([]);
  });

  test('goes on when the clock is set back, a tenth slower, until both agree', () => {
    const { clock, pass, set, told } = machine();
    set(-HOUR);
    const read = pass(5 * HOUR, MINUTE);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    expect(clock.now() - NOON).toBeCloseTo(4.5 * HOUR, -2);
    expect(clock.wall()).toBe(NOON + 4 * HOUR);
    expect(told).toEqual([-HOUR]);
    pass(6 * HOUR, MINUTE);
    expect(clock.now()).toBe(clock.wall());
  });

  test('follows at once when the clock is set ahead, or the machine slept', () => {
    const { clock, pass, set, told } = machine();
    set(8 * HOUR);
    expect(clock.now()).toBe(NOON + 8 * HOUR);
    pass(MINUTE);
    expect(clock.now()).toBe(NOON + 8 * HOUR + MINUTE);
    expect(told).toEqual([8 * HOUR]);
  });

  test('takes small corrections without a word, and never goes back for them', () => {
    const { pass, set, told } = machine();
    const read: number[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      set(turn % 2 === 0 ? -400 : 300);
      read.push(...pass(2_000));
    }
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    expect(told).toEqual([]);
  });

  test.each([
    [-2 * HOUR, /set back by 2h.*time service.*restart/],
    [2 * HOUR, /ahead by 2h, or the machine slept/],
  ])('set by %d ms is told with what to do', (byMs, words) => {
    const lines: string[] = [];
    const note = (_: object, message: string) => void lines.push(message);
    tellClockWasSet({ info: note, warn: note, error: note } as never, () => {})(byMs);
    expect(lines).toEqual([expect.stringMatching(words)]);
  });
});
