import type { Clock } from '../engine/ports.ts';

/** Rejects with `late()` what is not settled in time; the work itself goes on. */
export type InTime = <T>(work: Promise<T>) => Promise<T>;

/** One timer for all that is under way, and not one each: every notification passes here. */
export function createDeadline(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  withinMs: number,
  late: () => Error,
): InTime {
  /** In the order of their ends, since all have the same time. */
  const waiting = new Set<{ readonly untilMs: number; readonly reject: (error: Error) => void }>();
  let armed = false;

  function arm(delayMs: number): void {
    armed = true;
    clock.after(delayMs, sweep);
  }

  function sweep(): void {
    armed = false;
    const now = clock.monotonic();
    for (const one of waiting) {
      if (one.untilMs > now) {
        arm(one.untilMs - now);
        return;
      }
      waiting.delete(one);
      one.reject(late());
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const one = { untilMs: clock.monotonic() + withinMs, reject };
      waiting.add(one);
      if (!armed) arm(withinMs);
      const settled = (): void => void waiting.delete(one);
      work.then(settled, settled);
      work.then(resolve, reject);
    });
}
