import type { UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import { InboxFullError } from '../errors.ts';

/** What may wait at most for the lanes, all places together. */
export interface InboxLimits {
  readonly events: number;
  /** Roughly what the events take in memory. */
  readonly bytes: number;
}

/** Something on its way to its lane. */
interface Waiting {
  readonly lane: LaneKey;
  readonly event: UsherEvent;
}

interface Held {
  events: number;
  bytes: number;
}

/** What an event takes besides its texts: its objects here, in the store's queue and in its lane. */
const EVENT_BYTES = 1_024;

/**
 * The account of everything that was taken in and that no lane has handled yet. A lane may hold as much as is still
 * free: alone it gets half, and however many lanes flood, there is room for one that does not.
 */
export class Inbox {
  readonly #limits: InboxLimits;
  readonly #all: Held = { events: 0, bytes: 0 };
  readonly #lanes = new Map<LaneKey, Held>();

  constructor(limits: InboxLimits) {
    this.#limits = limits;
  }

  get events(): number {
    return this.#all.events;
  }

  /** From 0, when nothing waits, to 1, when nothing more is taken. */
  get load(): number {
    const { events, bytes } = this.#limits;
    return Math.min(1, Math.max(this.#all.events / events, this.#all.bytes / bytes));
  }

  /** Throws `InboxFullError` when these cannot all be taken now. An empty inbox takes any batch: it would never fit else. */
  check(waiting: readonly Waiting[]): void {
    if (this.#all.events === 0) return;
    const asked: Held = { events: 0, bytes: 0 };
    const byLane = new Map<LaneKey, Held>();
    for (const { lane, event } of waiting) {
      const bytes = bytesOf(event);
      add(asked, 1, bytes);
      add(entry(byLane, lane), 1, bytes);
    }
    const { events, bytes } = this.#limits;
    const free = { events: events - this.#all.events, bytes: bytes - this.#all.bytes };
    if (exceeds(asked, free)) throw new InboxFullError(this.#all);
    for (const [lane, wants] of byLane) {
      const held = this.#lanes.get(lane);
      if (held && exceeds({ events: held.events + wants.events, bytes: held.bytes + wants.bytes }, free)) {
        throw new InboxFullError(held, lane);
      }
    }
  }

  take(waiting: readonly Waiting[]): void {
    for (const { lane, event } of waiting) {
      const bytes = bytesOf(event);
      add(this.#all, 1, bytes);
      add(entry(this.#lanes, lane), 1, bytes);
    }
  }

  /** They are handled, or were not taken in after all. */
  release(waiting: readonly Waiting[]): void {
    for (const { lane, event } of waiting) {
      const held = entry(this.#lanes, lane);
      const bytes = bytesOf(event);
      add(this.#all, -1, -bytes);
      add(held, -1, -bytes);
      if (held.events <= 0) this.#lanes.delete(lane);
    }
  }
}

function entry(of: Map<LaneKey, Held>, lane: LaneKey): Held {
  let held = of.get(lane);
  if (held === undefined) {
    held = { events: 0, bytes: 0 };
    of.set(lane, held);
  }
  return held;
}

const add = (held: Held, events: 1 | -1, bytes: number): void => {
  held.events += events;
  held.bytes += bytes;
};

const exceeds = (wanted: Held, free: Held): boolean =>
  wanted.events > free.events || wanted.bytes > free.bytes;

/** The same for an event at each asking: what is taken is given back. */
function bytesOf(event: UsherEvent): number {
  let characters = 0;
  if ('text' in event) characters += event.text.length;
  if ('body' in event) characters += event.body.length;
  if ('tags' in event) for (const tag of event.tags) characters += tag.length;
  return EVENT_BYTES + 2 * characters;
}
