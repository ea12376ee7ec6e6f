import type { Clock } from '../../../src/engine/ports.ts';

/** The time of one history. */
export interface WorldClock extends Clock {
  /** Runs what comes due, in order of time, until nothing waits any more or `ms` are over. */
  run(ms: number): Promise<void>;
  /** The wall clock is set by so much; nothing else notices. */
  set(byMs: number): void;
}

/** Lets everything that promises alone can do be done: no history touches anything else. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Timer {
  readonly dueMs: number;
  readonly work: () => void;
}

/** Like the virtual clock of the other tests, for tens of thousands of histories. */
export function worldClock(startAt: number): WorldClock {
  let nowMs = 0;
  let setMs = 0;
  /** By due time; equal ones in the order in which they were asked for. */
  const timers: Timer[] = [];
  return {
    now: () => startAt + setMs + nowMs,
    monotonic: () => nowMs,
    after(delayMs, work) {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), work };
      const later = timers.findIndex(({ dueMs }) => dueMs > timer.dueMs);
      timers.splice(later < 0 ? timers.length : later, 0, timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    async run(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        await settled();
        const [first] = timers;
        if (!first || first.dueMs > untilMs) return;
        timers.shift();
        nowMs = first.dueMs;
        first.work();
      }
    },
    set: (byMs) => void (setMs += byMs),
  };
}
