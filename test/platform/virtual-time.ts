import type { ClientTime } from '../../src/platform/index.ts';

/** Time that stands still until nothing else can happen, then jumps to the next timer. */
export interface VirtualTime extends ClientTime {
  /** Runs timers in order until `promise` has settled; its result as a value, so that a rejection has a place. */
  settle<T>(promise: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }>;
}

export function virtualTime(): VirtualTime {
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  return {
    monotonic: () => now,
    after(delayMs, work) {
      const timer = { at: now + delayMs, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async settle<T>(promise: Promise<T>) {
      let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
      promise.then(
        (value) => (outcome = { value }),
        (error: unknown) => (outcome = { error }),
      );
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (outcome !== undefined) return outcome;
        const [next] = timers.toSorted((one, other) => one.at - other.at);
        if (next === undefined) throw new Error('nothing is left that could settle the promise');
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.work();
      }
    },
  };
}
