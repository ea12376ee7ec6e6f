import type { Clock } from '../../src/engine/ports.ts';
import { createDueHeap, slot } from '../../src/ingress/due-heap.ts';

export interface VirtualClock extends Clock {
  /** Runs what comes due within `ms`, in order of time, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
}

/** Lets everything that promises alone can do be done. */
export const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Fast enough for an hour of ten thousand places: one heap, one turn of the loop per moment. */
export function virtualClock(startAt = 1_800_000_000_000): VirtualClock {
  let at = 0;
  const timers = createDueHeap<() => void>();
  return {
    now: () => startAt + at,
    monotonic: () => at,
    after(delayMs, work) {
      const timer = slot(work);
      timers.put(timer, at + Math.max(0, delayMs));
      return () => timers.remove(timer);
    },
    async advance(ms) {
      const until = at + ms;
      await settle();
      for (let first = timers.peek(); first && first.due <= until; first = timers.peek()) {
        at = Math.max(at, first.due);
        for (let due = timers.peek(); due && due.due <= at; due = timers.peek()) {
          timers.remove(due);
          due.item();
        }
        await settle();
      }
      at = Math.max(at, until);
    },
  };
}
