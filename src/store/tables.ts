import type { OutcomeKind } from '../domain/action.ts';
import type { JournalQuery } from '../engine/ports.ts';
import type { Pruned } from './store.ts';

/** An event on its way in: the columns, and the whole event as JSON. Tuples, because they cross threads in half the time. */
export type EventRow = readonly [
  lane: string,
  id: string,
  type: string,
  at: number,
  seenAt: number,
  body: string,
];

/** An event on its way out. */
export interface JournalRow {
  readonly seq: number;
  readonly lane: string;
  readonly body: string;
}

/** An intent on its way in; `settledAt` with an outcome that the decision itself gave. */
export type ActionRow = readonly [
  id: string,
  mode: string,
  outcome: OutcomeKind | null,
  detail: string | null,
  settledAt: number | null,
  body: string,
];

/** An action on its way out. */
export interface StoredAction {
  readonly lane: string;
  readonly mode: string;
  readonly outcome: OutcomeKind | null;
  readonly detail: string | null;
  readonly body: string;
  readonly attempts: number;
  readonly markedAt: number | null;
}

export interface LaneRow {
  readonly position: number;
  readonly wakeAt: number | null;
  readonly parts: readonly (readonly [name: string, body: string])[];
}

/** One small step of a prune, from the oldest row on. */
export interface PruneStep {
  /** `seenAt` and `settledAt` below this may go. */
  readonly before: number;
  /** Rows beyond the newest `maxRows` may go when seen before this. */
  readonly overflowBefore: number;
  readonly maxRows: number;
  readonly afterSeq: number;
  readonly afterIntent: number;
}

/**
 * What the store does, in plain data that a thread can send to another; each method is one job and synchronous where
 * the database is. A write that throws has written nothing.
 */
export interface Tables {
  append(events: readonly EventRow[]): readonly (number | null)[];
  undone(limit: number, afterSeq: number): readonly JournalRow[];
  read(query: JournalQuery): readonly JournalRow[];
  find(id: string): JournalRow | undefined;
  loadLane(lane: string): LaneRow | undefined;
  /** A part of null goes. Returns the ids of the actions that were new. */
  commitLane(
    lane: string,
    handled: readonly number[],
    parts: readonly (readonly [name: string, body: string | null])[],
    wakeAt: number | null,
    actions: readonly ActionRow[],
  ): readonly string[];
  listLanes(): readonly { readonly lane: string; readonly wakeAt: number | null }[];
  openActions(): readonly StoredAction[];
  markAction(id: string, attempt: number, at: number): void;
  settleAction(id: string, event: EventRow, outcome: OutcomeKind, detail: string, at: number): number | null;
  findAction(id: string): StoredAction | undefined;
  /** `next` is null when there is nothing more to look at, else where the next step begins. */
  prune(step: PruneStep): Pruned & { readonly next: Pick<PruneStep, 'afterSeq' | 'afterIntent'> | null };
  /** Writes a little, to learn whether writing works again. */
  probe(): void;
}

/** The methods that need a transaction; all others only read. */
export const WRITES: ReadonlySet<keyof Tables> = new Set([
  'append',
  'commitLane',
  'markAction',
  'settleAction',
  'prune',
  'probe',
]);

/** A call of one of the tables' methods, as it travels to the thread that owns the database. */
export type Job = {
  [K in keyof Tables]: readonly [name: K, ...args: Parameters<Tables[K]>];
}[keyof Tables];

/** Why a job of a group failed. `code` is SQLite's own, when it was SQLite that refused. */
export interface JobFailure {
  readonly index: number;
  readonly message: string;
  readonly code: number | undefined;
}

/** What a group came to: one value for each job that was done, in order, and which of them are failures instead. */
export interface GroupOutcome {
  readonly values: readonly unknown[];
  readonly failures: readonly JobFailure[];
}
