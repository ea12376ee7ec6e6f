import type { LaneKey } from '../domain/lane-key.ts';
import type { Clock } from './ports.ts';

interface Entry {
  readonly lane: LaneKey;
  readonly due: number;
}

/** A timer counts time that passes; a machine's clock may also be set. So often it is looked at again. */
export const LONGEST_SLEEP_MS = 30_000;

/** Entries that may be stale before they are thrown out: waking a lane at another time leaves one behind. */
const STALE_ENTRIES = 1_024;

/** When each lane wants to be woken: one heap and one timer, however many lanes. */
export class Wakes {
  readonly #clock: Clock;
  readonly #wake: (due: readonly Entry[]) => void;
  readonly #dueOf = new Map<LaneKey, number>();
  /** Earliest first; an entry that `#dueOf` no longer says is stale and skipped. */
  #heap: Entry[] = [];
  #cancel: (() => void) | undefined;
  #armedFor = Infinity;
  #stopped = false;

  constructor(clock: Clock, wake: (due: readonly Entry[]) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Sets, moves or (null) takes away the wake of a lane; ms since 1970. */
  set(lane: LaneKey, due: number | null): void {
    if (due === null) {
      this.#dueOf.delete(lane);
      return;
    }
    if (this.#dueOf.get(lane) === due) return;
    this.#dueOf.set(lane, due);
    this.#push({ lane, due });
    if (this.#heap.length > 2 * this.#dueOf.size + STALE_ENTRIES) this.#compact();
    if (due < this.#armedFor) this.#arm();
  }

  /** Entries in memory, stale ones too. */
  get size(): number {
    return this.#heap.length;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#cancel?.();
    const first = this.#heap[0];
    this.#armedFor = first?.due ?? Infinity;
    if (!first) return;
    const sleepMs = Math.min(LONGEST_SLEEP_MS, Math.max(0, first.due - this.#clock.now()));
    this.#cancel = this.#clock.after(sleepMs, () => this.#fire());
  }

  #fire(): void {
    const now = this.#clock.now();
    const due: Entry[] = [];
    for (let first = this.#heap[0]; first && first.due <= now; first = this.#heap[0]) {
      this.#pop();
      if (this.#dueOf.get(first.lane) !== first.due) continue;
      this.#dueOf.delete(first.lane);
      due.push(first);
    }
    this.#arm();
    if (due.length > 0) this.#wake(due);
  }

  #compact(): void {
    const live = [...this.#dueOf].map(([lane, due]) => ({ lane, due }));
    // In order of time an array is a heap.
    this.#heap = live.sort((a, b) => a.due - b.due);
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (!parent || parent.due <= entry.due) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      if (!a) break;
      const [below, child] = b && b.due < a.due ? ([left + 1, b] as const) : ([left, a] as const);
      if (child.due >= last.due) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }
}
