import { describeError } from '../errors.ts';
import { backoffMs } from './backoff.ts';
import type { Ask } from './deed.ts';
import { fateOfError } from './fate-of-error.ts';
import type { Fate, ReadBack } from './fate.ts';
import { firstAction, type Doubt, type Job, type Next, type Settlement } from './job.ts';
import { OUTBOX_DEFAULTS, type OutboxSettings } from './outbox-settings.ts';
import type { Ledger } from './ledger.ts';
import { toldBy } from './notification-lag.ts';

/** The first look for what is in doubt; each next wait is longer. Finding it proves that it happened, however early. */
const FIRST_LOOK_MS = 250;
const LOOKS_SPREAD = 3;

export interface Protocol {
  /** Takes the job as far as it goes without waiting. Never rejects. */
  readonly step: (job: Job) => Promise<Next>;
}

export interface ProtocolPorts {
  readonly ledger: Ledger;
  /** Aborted when the outbox stops. */
  readonly stopped: AbortSignal;
  /** The platform refuses our credentials, or has just shown that it takes them. */
  readonly onCredentials: (state: 'refused' | 'taken', job: Job, reason: string) => void;
}

/**
 * MARK, CHECK, CALL, RECONCILE, RESULT for one job (design: "Egress"). No mark, no call; a definite refusal leads to a
 * new mark; anything that is not definite is in doubt, and a deed that may not be repeated is then sent again only when
 * it could not be found after GRACE.
 */
export function createProtocol(settings: OutboxSettings, ports: ProtocolPorts): Protocol {
  const { budget, clock, count, log } = settings;
  const { ledger, stopped } = ports;
  const deadlineMs = settings.deadlineMs ?? OUTBOX_DEFAULTS.deadlineMs;
  const graceMs = settings.graceMs ?? OUTBOX_DEFAULTS.graceMs;
  const onDoubt = settings.onDoubt ?? OUTBOX_DEFAULTS.onDoubt;
  const backoff = settings.backoff ?? OUTBOX_DEFAULTS.backoff;
  const random = settings.random ?? Math.random;
  const madeAtMs = clock.monotonic();
  const hearingSinceMs = settings.hearingSinceMs ?? (() => madeAtMs);
  /** A call later than this after its mark could land when others take it for lost; a slow disk is no frozen process. */
  const frozenAfterMs = Math.max(1_000, (graceMs - deadlineMs) / 10);

  const wait = (forMs: number): Next => ({ kind: 'wait', forMs });
  const waitAfterFailure = (job: Job): Next => {
    job.failures += 1;
    return wait(backoffMs(backoff, job.failures, random));
  };

  /** Runs one request; what it throws becomes a fate. The deadline is for a call as a whole, else for each page. */
  async function ask<T>(
    claim: 'action' | 'readBack',
    request: (ask: Ask) => Promise<T>,
  ): Promise<T | Exclude<Fate, { readonly kind: 'done' }>> {
    const controller = new AbortController();
    const { signal } = controller;
    const giveUp = () => controller.abort(stopped.reason);
    const cancel = claim === 'action' ? clock.after(deadlineMs, () => controller.abort()) : () => {};
    // Not AbortSignal.any: it would keep something of each request for as long as the outbox lives.
    stopped.addEventListener('abort', giveUp, { once: true });
    try {
      return await request({ signal, deadlineMs, token: () => budget.take(claim, signal) });
    } catch (error) {
      return fateOfError(error);
    } finally {
      cancel();
      stopped.removeEventListener('abort', giveUp);
    }
  }

  const heard = (job: Job, fate: Fate | ReadBack): void => {
    if (!job.deed.asksPlatform) return;
    if (fate.kind === 'unauthorized') ports.onCredentials('refused', job, fate.reason);
    else if (fate.kind === 'done' || fate.kind === 'failed' || fate.kind === 'absent')
      ports.onCredentials('taken', job, '');
    if (fate.kind === 'again' && fate.limited) budget.report('limited');
    else if (fate.kind === 'done' || fate.kind === 'failed' || fate.kind === 'absent') budget.report('ok');
  };

  async function settle(job: Job, settlement: Settlement): Promise<Next> {
    if (!job.settlement) job.failures = 0;
    job.settlement = settlement;
    return (await ledger.settle(job.members, settlement)) ? { kind: 'gone' } : waitAfterFailure(job);
  }

  async function attempt(job: Job): Promise<Next> {
    if (clock.monotonic() >= job.staleAtMs)
      return settle(
        job,
        job.doubt
          ? { outcome: 'unknown', detail: 'In doubt until it was too late to try again.', result: {} }
          : { outcome: 'failed', detail: 'Too late: it could not be done in time.', result: {} },
      );
    if (job.deed.asksPlatform) {
      try {
        await budget.take('action', stopped);
      } catch {
        return { kind: 'hold' }; // only a stop aborts the wait; the intent stays in the journal
      }
    }
    const markedAtMs = clock.monotonic();
    const marked = await ledger.mark(job.members, job.attempts + 1);
    if (marked === 'settled before') return { kind: 'gone' };
    if (marked === 'not written') return waitAfterFailure(job);
    if (stopped.aborted) return { kind: 'hold' };
    job.attempts += 1;
    job.doubt = {
      sinceMs: Math.min(job.doubt?.sinceMs ?? markedAtMs, markedAtMs),
      provenFromMs: markedAtMs + graceMs,
    };
    const fate: Fate =
      clock.monotonic() - markedAtMs > frozenAfterMs
        ? {
            kind: 'doubt',
            reason: 'The process stood still between mark and call, so the call was not made.',
          }
        : await ask('action', job.deed.call);
    count('attempts', { type: firstAction(job).type, fate: fate.kind });
    heard(job, fate);
    // GRACE is also what may land after we gave up; a process that stood still in the call gave up late.
    if (fate.kind !== 'doubt') job.doubt = undefined;
    else
      job.doubt = {
        ...job.doubt,
        provenFromMs: Math.max(job.doubt.provenFromMs, clock.monotonic() + graceMs - deadlineMs),
      };
    switch (fate.kind) {
      case 'done':
        return settle(job, { outcome: 'performed', detail: fate.detail, result: fate.result });
      case 'failed':
        return settle(job, { outcome: 'failed', detail: fate.detail, result: {} });
      case 'unauthorized':
        return { kind: 'hold' };
      case 'again':
        return waitAfterFailure(job);
      case 'doubt': {
        const { id, type } = firstAction(job);
        log.warn({ action: id, type, attempt: job.attempts, reason: fate.reason }, 'action in doubt');
        if (!job.deed.repeatable) {
          job.failures = 0;
          return wait(Math.min(FIRST_LOOK_MS, graceMs));
        }
        return waitAfterFailure(job);
      }
      default:
        return fate satisfies never;
    }
  }

  async function reconcile(job: Job, doubt: Doubt): Promise<Next> {
    const { provenFromMs, mayBeLost } =
      job.deed.foundBy === 'notification'
        ? toldBy(doubt, hearingSinceMs(), graceMs)
        : { provenFromMs: doubt.provenFromMs, mayBeLost: false };
    const proven = clock.monotonic() >= provenFromMs;
    const { readBack } = job.deed;
    const shown = readBack
      ? await ask('readBack', readBack)
      : ({ kind: 'unclear', reason: 'There is nothing to read back.' } as const);
    if (readBack) heard(job, shown);
    const found: typeof shown =
      shown.kind === 'absent' && mayBeLost
        ? { kind: 'unclear', reason: 'Nobody listened for longer than its notification was repeated.' }
        : shown;
    const again = (): Promise<Next> | Next => {
      if (!proven) {
        job.failures += 1;
        return wait(Math.min(FIRST_LOOK_MS * LOOKS_SPREAD ** job.failures, provenFromMs - clock.monotonic()));
      }
      if (found.kind === 'absent') job.doubt = undefined;
      return attempt(job);
    };
    switch (found.kind) {
      case 'done':
        return settle(job, { outcome: 'performed', detail: found.detail, result: found.result });
      case 'absent':
        return again();
      case 'unclear':
        return onDoubt === 'retry' || !proven
          ? again()
          : settle(job, {
              outcome: onDoubt === 'ask' ? 'held' : 'unknown',
              detail: `It may have happened, and reading back cannot tell: ${found.reason}`,
              result: {},
            });
      case 'failed':
        return settle(job, {
          outcome: 'unknown',
          detail: `It may have happened, and reading back is refused: ${found.detail}`,
          result: {},
        });
      case 'unauthorized':
        return { kind: 'hold' };
      case 'again':
      case 'doubt':
        return waitAfterFailure(job);
      default:
        return found satisfies never;
    }
  }

  /** Sent again at once, unless a look shows that it is done. */
  async function repeat(job: Job): Promise<Next> {
    const { readBack } = job.deed;
    if (readBack) {
      const found = await ask('readBack', readBack);
      heard(job, found);
      if (found.kind === 'done')
        return settle(job, { outcome: 'performed', detail: found.detail, result: found.result });
      if (found.kind === 'unauthorized') return { kind: 'hold' };
    }
    return attempt(job);
  }

  return {
    async step(job) {
      try {
        if (job.settlement) return await settle(job, job.settlement);
        if (!job.doubt) return await attempt(job);
        return await (job.deed.repeatable ? repeat(job) : reconcile(job, job.doubt));
      } catch (error) {
        const { id, type } = firstAction(job);
        log.error({ action: id, type, error: describeError(error) }, 'a bug in the outbox; the action waits');
        return waitAfterFailure(job);
      }
    },
  };
}
