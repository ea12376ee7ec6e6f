import { performance } from 'node:perf_hooks';
import type { Clock } from '../engine/ports.ts';

/** setTimeout's limit; a longer wait is made of several. */
const LONGEST_MS = 2_147_483_647;

/** The machine's own time. Timers never keep the process alive: listeners do. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, work) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      timer = setTimeout(
        () => (left > LONGEST_MS ? wait(left - LONGEST_MS) : work()),
        Math.max(0, Math.min(left, LONGEST_MS)),
      );
      timer.unref();
    };
    wait(delayMs);
    return () => clearTimeout(timer);
  },
};
