import type { Clock } from '../../src/engine/ports.ts';
import { NOON } from './samples.ts';

/** Time that stands until it is set; waiting work runs when its time has come. */
export function testClock(): Clock & { readonly set: (now: number) => void } {
  let now = NOON;
  const waiting = new Map<() => void, number>();
  return {
    now: () => now,
    monotonic: () => now,
    after(delayMs, work) {
      waiting.set(work, now + delayMs);
      return () => void waiting.delete(work);
    },
    set(to) {
      now = to;
      for (const [work, due] of waiting) if (due <= now && waiting.delete(work)) work();
    },
  };
}
