import type { Clock } from '../engine/ports.ts';
import { backoffMs } from './backoff.ts';
import type { Job } from './job.ts';

const PROBES = { firstMs: 5_000, capMs: 60_000 } as const;

/** Shut while the platform refuses our credentials: one job at a time knocks, thousands do not. */
export interface CredentialsGate {
  mayPass(job: Job): boolean;
  /** The job stopped running. True when it had knocked and got no answer, so that another may. */
  left(job: Job): boolean;
  refused(job: Job, reason: string): void;
  /** True when the gate was shut until now. */
  taken(): boolean;
  reason(): string | undefined;
  stop(): void;
}

export function createCredentialsGate(settings: {
  readonly clock: Clock;
  readonly random: () => number;
  /** A job may knock now. */
  readonly onKnock: () => void;
}): CredentialsGate {
  const { clock, random, onKnock } = settings;
  let shut: { readonly reason: string; refusals: number; knocker: Job | 'anyone' | undefined } | undefined;
  let cancel: (() => void) | undefined;

  return {
    mayPass(job) {
      if (!shut || !job.deed.asksPlatform) return true;
      if (shut.knocker !== 'anyone') return false;
      shut.knocker = job;
      return true;
    },
    left(job) {
      if (shut?.knocker !== job) return false;
      shut.knocker = 'anyone';
      return true;
    },
    refused(job, reason) {
      // Those that were on their way when the gate shut are no new news.
      if (shut && shut.knocker !== job) return;
      shut = { reason, refusals: (shut?.refusals ?? 0) + 1, knocker: undefined };
      cancel?.();
      cancel = clock.after(backoffMs(PROBES, shut.refusals, random), () => {
        if (shut) shut.knocker = 'anyone';
        onKnock();
      });
    },
    taken() {
      const wasShut = shut !== undefined;
      shut = undefined;
      cancel?.();
      return wasShut;
    },
    reason: () => shut?.reason,
    stop: () => cancel?.(),
  };
}
