import type { Actions, Journal, Lanes, Readiness } from '../engine/ports.ts';

/**
 * How much history to keep: what either limit says goes. Never goes what an open action or an undone event needs, nor
 * anything seen within the last day, because ids are the dedupe.
 */
export interface Retention {
  /** Counted from `seenAt`. */
  readonly olderThanMs: number;
  /** Events, newest first. */
  readonly maxRows: number;
}

/** What a prune removed. */
export interface Pruned {
  readonly events: number;
  readonly actions: number;
}

/** The three tables of one daemon. Everything rejects with `StoreError` after `close`. */
export interface Store {
  readonly journal: Journal;
  readonly lanes: Lanes;
  readonly actions: Actions;
  /** Says why nothing can be written at the moment; clears with the next write that succeeds. */
  readonly readiness: Readiness;
  /** Removes history in small steps between other writes; resolves when nothing more is to remove. */
  prune(retention: Retention): Promise<Pruned>;
  /** Finishes what was asked for before, then closes. Safe to call twice. */
  close(): Promise<void>;
}
