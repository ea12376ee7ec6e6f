import type { LaneKey } from '../domain/lane-key.ts';
import type { LaneRules } from './lane-rules.ts';
import type { LaneState } from './lane-state.ts';
import type { Journaled } from './ports.ts';
import { StreamRules } from './stream-rules.ts';
import type { Turns } from './turn.ts';

/** One place's ordered line: what waits in it and, once loaded, what it knows. Nothing else changes either. */
export class Lane {
  readonly key: LaneKey;
  readonly streams: StreamRules;
  state: LaneState | undefined;
  rules: LaneRules | undefined;
  turns: Turns | undefined;
  keeperDue: number | null = null;
  /** A run of it is scheduled or going on; there is never a second one. */
  busy = false;
  /** True once it has handled anything in its life: stream rules have something to be warmed up with. */
  hasHistory = false;
  /** Newest tick that it handled; it never asks for the same one again. */
  tickedAt = 0;
  /** Monotonic ms of its last run. */
  usedAt = 0;
  #queue: Journaled[] = [];

  /** `end` disposes of an instance of a stream rule and never throws. */
  constructor(key: LaneKey, end: ConstructorParameters<typeof StreamRules>[0]) {
    this.key = key;
    this.streams = new StreamRules(end);
  }

  /** Takes an event in, by its place in the journal. */
  add(row: Journaled): void {
    const queue = this.#queue;
    queue.push(row);
    for (let index = queue.length - 1; index > 0; index -= 1) {
      const before = queue[index - 1];
      if (!before || before.seq < row.seq) break;
      queue[index] = before;
      queue[index - 1] = row;
    }
  }

  take(most: number): readonly Journaled[] {
    if (this.#queue.length <= most) {
      const all = this.#queue;
      this.#queue = [];
      return all;
    }
    return this.#queue.splice(0, most);
  }

  /** Events that were taken and not handled: they are the first again. */
  giveBack(rows: readonly Journaled[]): void {
    this.#queue = [...rows, ...this.#queue];
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get first(): Journaled | undefined {
    return this.#queue[0];
  }

  /** When it wants a tick, ms since 1970: always after the last one. */
  get wakeAt(): number | null {
    const stream = this.streams.nextDue();
    const due = stream === null ? this.keeperDue : Math.min(stream, this.keeperDue ?? Infinity);
    return due === null ? null : Math.max(Math.ceil(due), this.tickedAt + 1);
  }
}
