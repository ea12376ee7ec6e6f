import type { Clock } from '../../src/engine/ports.ts';

/** A clock that moves when it is told to; what comes due runs in order, with time for promises after each. */
export interface VirtualClock extends Clock {
  advance(ms: number): Promise<void>;
}

/** Lets everything that needs no clock come to rest. */
export const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

export const START = 1_800_000_000_000;

export function virtualClock(start = START): VirtualClock {
  let now = start;
  let order = 0;
  const timers = new Map<number, { readonly due: number; readonly work: () => void }>();
  return {
    now: () => now,
    monotonic: () => now - start,
    after(delayMs, work) {
      const id = (order += 1);
      timers.set(id, { due: now + Math.max(0, delayMs), work });
      return () => void timers.delete(id);
    },
    async advance(ms) {
      const until = now + ms;
      await rest();
      for (;;) {
        const [first] = [...timers]
          .filter(([, { due }]) => due <= until)
          .sort((a, b) => a[1].due - b[1].due || a[0] - b[0]);
        if (!first) break;
        timers.delete(first[0]);
        now = Math.max(now, first[1].due);
        first[1].work();
        await rest();
      }
      now = until;
    },
  };
}
