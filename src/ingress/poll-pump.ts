import type { Clock, RequestBudget } from '../engine/ports.ts';
import type { PollClaim, PollEntry, StrideScheduler } from './stride-scheduler.ts';

/** Turns a plan into polls: waits for turns, slots and budget, hinted entries first. */
export interface PollPump {
  /** The plan changed: look again. */
  wake(): void;
  /** Starts nothing more; resolves when what runs has ended. The budget's signal is the caller's to abort. */
  stop(): Promise<void>;
  readonly inFlight: number;
}

/** No timer is armed for less: turns are not that exact, and a clock's rounding must not spin. */
const LEAST_WAIT_MS = 1;

export function createPollPump<T>(of: {
  readonly scheduler: StrideScheduler<T>;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** One poll, whose first request is paid for; it finishes its entry itself. Must not reject. */
  readonly run: (entry: PollEntry<T>) => Promise<void>;
}): PollPump {
  const { scheduler, budget, clock, concurrency, signal, run } = of;
  const asking: Record<PollClaim, boolean> = { hinted: false, poll: false };
  const running = new Set<Promise<void>>();
  let stopped = false;
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;

  const launch = (entry: PollEntry<T>) => {
    const done = run(entry).finally(() => {
      running.delete(done);
      wake();
    });
    running.add(done);
  };

  /** Asks for one token at a time; whose turn it is, is settled only when it is granted. */
  const ask = async (claim: PollClaim): Promise<void> => {
    asking[claim] = true;
    try {
      await budget.take(claim, signal);
    } catch {
      return; // Aborted: this pump is being stopped.
    } finally {
      asking[claim] = false;
    }
    if (stopped) return;
    const entry = scheduler.start(claim, clock.now()) ?? scheduler.start('poll', clock.now());
    if (entry) launch(entry);
    wake();
  };

  const sleepUntil = (at: number) => {
    if (timer && timer.at <= at) return;
    timer?.cancel();
    timer = undefined;
    if (at === Infinity) return;
    timer = {
      at,
      cancel: clock.after(Math.max(LEAST_WAIT_MS, at - clock.now()), () => {
        timer = undefined;
        wake();
      }),
    };
  };

  const wake = () => {
    if (stopped) return;
    const now = clock.now();
    let next = Infinity;
    for (const claim of ['hinted', 'poll'] as const) {
      const readyAt = scheduler.readyAt(claim);
      if (readyAt > now) next = Math.min(next, readyAt);
      else if (!asking[claim] && running.size < concurrency) void ask(claim);
    }
    sleepUntil(next);
  };

  return {
    wake,
    async stop() {
      stopped = true;
      timer?.cancel();
      await Promise.all(running);
    },
    get inFlight() {
      return running.size;
    },
  };
}
