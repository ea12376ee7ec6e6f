import { onAbort } from './on-abort.ts';

/** The time that a client lives in, injected so that tests own it; an engine clock fits. */
export interface ClientTime {
  /** Ms since any fixed moment; never goes back. */
  monotonic(): number;
  /** Runs `work` once after `delayMs`; the result cancels it. */
  after(delayMs: number, work: () => void): () => void;
}

/** The machine's time. A wait keeps the process alive: somebody awaits the call behind it. */
export const systemTime: ClientTime = {
  monotonic: () => performance.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Resolves after `delayMs`, or at once when `signal` aborts; the caller looks at the signal. */
export const pause = (time: ClientTime, delayMs: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const cancel = time.after(delayMs, () => {
      forget();
      resolve();
    });
    const forget = onAbort(signal, () => {
      cancel();
      resolve();
    });
  });
