import type { OutcomeKind } from '../domain/action.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Action } from '../domain/action.ts';
import type { Deed } from './deed.ts';

/** An outcome that is known, durable or not yet. */
export interface Settlement {
  readonly outcome: OutcomeKind;
  readonly detail: string;
  readonly result: Readonly<Record<string, string>>;
}

/** Doubt about the last attempt, on the monotonic clock. */
export interface Doubt {
  /** When the request may first have been on its way. */
  readonly sinceMs: number;
  /** From here on, not to be found means that it never happened. */
  readonly provenFromMs: number;
}

/** One request in the making: an action, or several that travel in one message. */
export interface Job {
  readonly members: { readonly action: Action; readonly lane: LaneKey }[];
  readonly deed: Deed;
  /** When it turns stale, on the monotonic clock. */
  readonly staleAtMs: number;
  state: 'ready' | 'running' | 'waiting';
  attempts: number;
  /** Failures in a row of whatever it tries at the moment: calling, reading back, writing. */
  failures: number;
  doubt: Doubt | undefined;
  /** Known but perhaps not written yet: what is left to do is to write it. */
  settlement: Settlement | undefined;
  /** While waiting: when it goes on, and how to forget that. */
  dueAtMs: number;
  cancelWait: (() => void) | undefined;
}

/** Why a job stopped running. */
export type Next =
  | { readonly kind: 'gone' }
  | { readonly kind: 'wait'; readonly forMs: number }
  /** Ready, but held up by something that is not its own: refused credentials, a stop. */
  | { readonly kind: 'hold' };

/** The action that names the job in logs. */
export const firstAction = (job: Job): Action => {
  const [first] = job.members;
  if (!first) throw new Error('A job without an action: its last one was taken away while it ran.');
  return first.action;
};
