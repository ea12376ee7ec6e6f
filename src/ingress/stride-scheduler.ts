import { type Activity, expected, learn } from './activity.ts';
import { createDueHeap, slot } from './due-heap.ts';

/** How often something wants to be polled: as its activity asks for within bounds, or at a fixed interval. */
export type Rhythm = { readonly minMs: number; readonly maxMs: number } | { readonly everyMs: number };

/** One thing to poll. It is in the plan, or running between `start` and `finish`. */
export interface PollEntry<T> {
  readonly work: T;
  readonly rhythm: Rhythm;
}

/** `hinted`: something is known to have happened there; `poll`: its turn has come. */
export type PollClaim = 'hinted' | 'poll';

export interface StrideScheduler<T> {
  /** First poll as soon as the budget allows. */
  add(work: T, rhythm: Rhythm): PollEntry<T>;
  remove(entry: PollEntry<T>): void;
  /** Something is to be seen there from `at` on: polled then, before all ordinary polls, but never before its `minMs`. */
  hint(entry: PollEntry<T>, at: number): void;
  /** When an entry of the class may start; Infinity when none is planned. */
  readyAt(claim: PollClaim): number;
  /** Takes the entry whose turn it is out of the plan; undefined when none is ready. */
  start(claim: PollClaim, now: number): PollEntry<T> | undefined;
  /**
   * Plans the next poll. `found`: facts that were new; null when the poll failed. At least `backOffMs` are waited; a poll
   * of several `requests` has used up as many turns.
   */
  finish(entry: PollEntry<T>, now: number, found: number | null, backOffMs?: number, requests?: number): void;
  readonly size: number;
}

/** However many hints come, what has a fixed interval is not polled again within this time. */
const LEAST_MS = 1_000;

class Planned<T> implements PollEntry<T> {
  readonly work: T;
  readonly rhythm: Rhythm;
  readonly minMs: number;
  /** In virtual time, while it may be polled. */
  readonly turn = slot<Planned<T>>(this);
  /** In real time, while it may not yet. */
  readonly rest = slot<Planned<T>>(this);
  /** In real time, while a hint for it waits. */
  readonly hinted = slot<Planned<T>>(this);
  readonly activity: Activity = { found: 0, seconds: 0 };
  /** √ of the expected activity. */
  weight = 0;
  /** Virtual time of its next turn. */
  turnAt: number;
  startedAt = -Infinity;
  /** When its last good poll began: what is found next happened since. */
  seenAt: number | undefined;
  running = false;
  /** Its turns are out of step with those of the others. */
  spread = false;
  removed = false;
  /** A hint that came while it ran. */
  hintAt: number | undefined;

  constructor(work: T, rhythm: Rhythm, turnAt: number) {
    this.work = work;
    this.rhythm = rhythm;
    this.minMs = 'everyMs' in rhythm ? Math.min(rhythm.everyMs, LEAST_MS) : rhythm.minMs;
    this.turnAt = turnAt;
  }
}

/** Share of the ordinary polls that is spread evenly, so that a place held for dead is still looked at. */
const EVEN_SHARE = 0.2;
/** Facts per second that are expected of a place before anything was found anywhere. */
const FIRST_GUESS = 0.01;
/** Intervals differ by up to this part, so that places do not march in step. */
const JITTER = 0.1;
const CALIBRATE_EVERY_MS = 5_000;
const CALIBRATE_STEPS = 24;

/**
 * Stride scheduling: polls per place in proportion to a fifth of an equal share plus √activity, which minimises the mean
 * time until a fact is found. Turns are in virtual time, which goes as fast as the budget lets it: nothing lies idle
 * while something may be polled, and when the budget is short all wait alike. `minMs` always holds, `maxMs` only
 * while the budget can pay for it everywhere. What has a fixed interval goes first.
 */
export function createStrideScheduler<T>(of: {
  /** Requests per second that polls may use at the moment. */
  readonly rate: () => number;
  readonly random: () => number;
}): StrideScheduler<T> {
  const turns = createDueHeap<Planned<T>>();
  const resting = createDueHeap<Planned<T>>();
  const hints = createDueHeap<Planned<T>>();
  const entries = new Set<Planned<T>>();
  const everywhere: Activity = { found: 0, seconds: 0 };
  let weights = 0;
  /** Polls per second for the whole; a place gets its share of it, within its bounds. */
  let scale = 0;
  let holdsMax = true;
  let calibratedAt = -Infinity;
  let virtualNow = 0;

  const average = () =>
    everywhere.found > 0 ? everywhere.found / everywhere.seconds / Math.max(1, entries.size) : FIRST_GUESS;

  const share = (entry: Planned<T>) =>
    EVEN_SHARE / entries.size + (weights > 0 ? ((1 - EVEN_SHARE) * entry.weight) / weights : 0);

  const pollsPerSecond = (entry: Planned<T>, whole: number, withMax: boolean): number => {
    const { rhythm } = entry;
    if ('everyMs' in rhythm) return 1_000 / rhythm.everyMs;
    const wanted = Math.min(whole * share(entry), 1_000 / rhythm.minMs);
    return withMax ? Math.max(wanted, 1_000 / rhythm.maxMs) : wanted;
  };

  const total = (whole: number, withMax: boolean): number => {
    let sum = 0;
    for (const entry of entries) sum += pollsPerSecond(entry, whole, withMax);
    return sum;
  };

  /** Finds the scale at which the bounded rates together use the budget. */
  const calibrate = (now: number) => {
    calibratedAt = now;
    const rate = of.rate();
    holdsMax = total(0, true) <= rate;
    let low = rate / 1_000;
    let high = rate * 1_000;
    for (let step = 0; step < CALIBRATE_STEPS; step += 1) {
      const middle = Math.sqrt(low * high);
      if (total(middle, holdsMax) > rate) high = middle;
      else low = middle;
    }
    scale = low;
  };

  const reweigh = (entry: Planned<T>) => {
    const weight = 'everyMs' in entry.rhythm ? 0 : Math.sqrt(expected(entry.activity, average()));
    weights += weight - entry.weight;
    entry.weight = weight;
  };

  const learnOf = (entry: Planned<T>, found: number) => {
    if (entry.seenAt !== undefined && !('everyMs' in entry.rhythm)) {
      const seconds = (entry.startedAt - entry.seenAt) / 1_000;
      learn(entry.activity, found, seconds);
      learn(everywhere, found, seconds / entries.size);
      reweigh(entry);
    }
    entry.seenAt = entry.startedAt;
  };

  /** Virtual time until its next turn. First turns come all at once; the second are spread, or all would again. */
  const stride = (entry: Planned<T>): number => {
    const part = entry.spread ? 1 + JITTER * (2 * of.random() - 1) : of.random();
    entry.spread = true;
    return part / pollsPerSecond(entry, scale, holdsMax);
  };

  const wakeRested = (now: number) => {
    for (let first = resting.peek(); first && first.due <= now; first = resting.peek()) {
      resting.remove(first);
      const entry = first.item;
      turns.put(entry.turn, 'everyMs' in entry.rhythm ? -Infinity : entry.turnAt);
    }
  };

  const putHint = (entry: Planned<T>, at: number) =>
    hints.put(entry.hinted, Math.max(at, entry.startedAt + entry.minMs));

  const leave = (entry: Planned<T>) => {
    turns.remove(entry.turn);
    resting.remove(entry.rest);
    hints.remove(entry.hinted);
  };

  const own = (entry: PollEntry<T>): Planned<T> => entry as Planned<T>; // `add` hands out no others

  return {
    get size() {
      return entries.size;
    },

    add(work, rhythm) {
      const entry = new Planned(work, rhythm, virtualNow);
      entries.add(entry);
      reweigh(entry);
      turns.put(entry.turn, virtualNow);
      return entry;
    },

    remove(given) {
      const entry = own(given);
      if (!entries.delete(entry)) return;
      entry.removed = true;
      weights -= entry.weight;
      leave(entry);
    },

    hint(given, at) {
      const entry = own(given);
      if (entry.removed) return;
      if (entry.running) entry.hintAt = Math.min(entry.hintAt ?? Infinity, at);
      else if (entry.hinted.at === -1 || entry.hinted.due > at) putHint(entry, at);
    },

    readyAt(claim) {
      if (claim === 'hinted') return hints.peek()?.due ?? Infinity;
      return turns.size > 0 ? -Infinity : (resting.peek()?.due ?? Infinity);
    },

    start(claim, now) {
      wakeRested(now);
      const first = (claim === 'hinted' ? hints : turns).peek();
      if (first === undefined || (claim === 'hinted' && first.due > now)) return undefined;
      const entry = first.item;
      if (claim === 'poll') virtualNow = Math.max(virtualNow, first.due);
      leave(entry);
      // From now on, not from the turn that was missed: nothing is made up for.
      entry.turnAt = virtualNow;
      entry.running = true;
      entry.startedAt = now;
      return entry;
    },

    finish(given, now, found, backOffMs = 0, requests = 1) {
      const entry = own(given);
      if (entry.removed) return;
      entry.running = false;
      if (found !== null) learnOf(entry, found);
      if (now - calibratedAt >= CALIBRATE_EVERY_MS) calibrate(now);
      entry.turnAt += stride(entry) * requests;
      const restMs = 'everyMs' in entry.rhythm ? entry.rhythm.everyMs : entry.minMs;
      resting.put(entry.rest, Math.max(entry.startedAt + restMs, now + backOffMs));
      if (entry.hintAt !== undefined) putHint(entry, entry.hintAt);
      entry.hintAt = undefined;
    },
  };
}
