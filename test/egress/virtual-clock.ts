import type { Clock } from '../../src/engine/ports.ts';

export interface VirtualClock extends Clock {
  /** Runs what comes due within `ms`, in order of time, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Time passes and nobody is woken: the process was frozen. */
  freeze(ms: number): void;
  /** The wall clock is set by so much; nothing else notices. */
  set(byMs: number): void;
  /** What still waits. */
  readonly waiting: number;
}

/** Lets everything that promises alone can do be done; streams and the like take several turns. */
export const settleDown = async (turns = 3): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

interface Timer {
  readonly due: number;
  readonly work: () => void;
}

/** `turns`: one is enough, and fast, where nothing but promises is under way. */
export function virtualClock(startAt = 1_800_000_000_000, turns = 3): VirtualClock {
  let at = 0;
  let setBy = 0;
  /** By due time; equal ones in the order in which they were asked for. */
  const timers: Timer[] = [];
  return {
    now: () => startAt + setBy + at,
    monotonic: () => at,
    after(delayMs, work) {
      const timer: Timer = { due: at + Math.max(0, delayMs), work };
      const before = timers.findLastIndex(({ due }) => due <= timer.due);
      timers.splice(before + 1, 0, timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    async advance(ms) {
      const until = at + ms;
      await settleDown(turns);
      for (;;) {
        const [first] = timers;
        if (!first || first.due > until) break;
        timers.shift();
        at = Math.max(at, first.due);
        first.work();
        await settleDown(turns);
      }
      at = Math.max(at, until);
    },
    freeze(ms) {
      at += ms;
    },
    set(byMs) {
      setBy += byMs;
    },
    get waiting() {
      return timers.length;
    },
  };
}
