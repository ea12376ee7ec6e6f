import type { Clock } from '../../src/engine/ports.ts';

export interface VirtualClock extends Clock {
  /** Runs what comes due within `ms`, in order of time, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Time passes and nobody is woken: the process was frozen. */
  freeze(ms: number): void;
  /** What still waits. */
  readonly waiting: number;
}

/** Lets everything that promises alone can do be done. */
export const settleDown = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

export function virtualClock(startAt = 1_800_000_000_000): VirtualClock {
  let at = 0;
  let order = 0;
  const timers = new Map<number, { readonly due: number; readonly work: () => void }>();
  return {
    now: () => startAt + at,
    monotonic: () => at,
    after(delayMs, work) {
      const id = (order += 1);
      timers.set(id, { due: at + Math.max(0, delayMs), work });
      return () => void timers.delete(id);
    },
    async advance(ms) {
      const until = at + ms;
      await settleDown();
      for (;;) {
        const [first] = [...timers]
          .filter(([, timer]) => timer.due <= until)
          .sort((a, b) => a[1].due - b[1].due || a[0] - b[0]);
        if (!first) break;
        timers.delete(first[0]);
        at = Math.max(at, first[1].due);
        first[1].work();
        await settleDown();
      }
      at = Math.max(at, until);
    },
    freeze(ms) {
      at += ms;
    },
    get waiting() {
      return timers.size;
    },
  };
}
