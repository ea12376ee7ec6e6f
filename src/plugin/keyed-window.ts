/** What the operators need of an event. */
export interface Timed {
  /** Ms since 1970. */
  readonly at: number;
}

interface Kept<T> {
  items: T[];
  latest: number;
}

/**
 * Items by key that are younger than `withinMs` by event time. Keys that had nothing new for that long are gone with
 * the next item of any key, so memory follows the traffic of one window and not the history of the room.
 */
export class KeyedWindow<T extends Timed> {
  readonly #withinMs: number;
  // In order of last use: the first key is the one to forget first.
  readonly #kept = new Map<string, Kept<T>>();

  constructor(withinMs: number) {
    if (!(withinMs > 0)) throw new TypeError('A window needs `withinMs` above zero.');
    this.#withinMs = withinMs;
  }

  /** Adds an item and gives what the window of its key now holds, oldest first. */
  add(key: string, item: T): readonly T[] {
    const kept = this.#kept.get(key) ?? { items: [], latest: item.at };
    kept.latest = Math.max(kept.latest, item.at);
    const { latest } = kept;
    kept.items = kept.items.filter((other) => latest - other.at < this.#withinMs);
    if (latest - item.at < this.#withinMs) kept.items.push(item);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#forget(latest);
    return kept.items;
  }

  /** Empties the window of one key. */
  clear(key: string): void {
    this.#kept.delete(key);
  }

  /** Keys in memory. */
  get size(): number {
    return this.#kept.size;
  }

  #forget(now: number): void {
    for (const [key, kept] of this.#kept) {
      if (now - kept.latest < this.#withinMs) return;
      this.#kept.delete(key);
    }
  }
}
