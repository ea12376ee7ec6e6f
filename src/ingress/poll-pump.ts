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

/** How soon to look again after what is held or not ready. */
const LOOK_AGAIN_MS = 250;

/** After so many hinted polls in a row an ordinary one goes, so that hints without end do not hide the quiet places. */
const HINTED_IN_A_ROW = 4;

export function createPollPump<T>(of: {
  readonly scheduler: StrideScheduler<T>;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** True while nothing is to be asked for: what was found already has not been taken in. */
  readonly held?: () => boolean;
  /** Whether this one may run now; else it waits a moment, and the next one goes. */
  readonly ready?: (entry: PollEntry<T>) => boolean;
  /** One poll, whose first request is paid for; it finishes its entry itself. Must not reject. */
  readonly run: (entry: PollEntry<T>) => Promise<void>;
}): PollPump {
  const { scheduler, budget, clock, concurrency, signal, run } = of;
  const { held = () => false, ready = () => true } = of;
  const asking: Record<PollClaim, boolean> = { hinted: false, poll: false };
  const running = new Set<Promise<void>>();
  let stopped = false;
  let hintedInARow = 0;
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
    const entry = nextReady(claim === 'hinted' && hintedInARow < HINTED_IN_A_ROW ? 'hinted' : 'poll');
    if (entry) launch(entry);
    wake();
  };

  /** Passes over what is not ready. */
  const nextReady = (claim: PollClaim): PollEntry<T> | undefined => {
    const now = clock.now();
    for (;;) {
      const hinted = claim === 'hinted' ? scheduler.start('hinted', now) : undefined;
      // A token is not given back: whoever can use it does.
      const entry = hinted ?? scheduler.start('poll', now) ?? scheduler.start('hinted', now);
      if (!entry || ready(entry)) {
        hintedInARow = hinted ? hintedInARow + 1 : 0;
        return entry;
      }
      scheduler.finish(entry, now, null, LOOK_AGAIN_MS);
      if (hinted) scheduler.hint(entry, now + LOOK_AGAIN_MS);
    }
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
    if (held()) {
      sleepUntil(now + LOOK_AGAIN_MS);
      return;
    }
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
