import type { Whereabouts } from '../engine/ports.ts';

/** What the watchdog sees of the event loop at one moment. */
export interface Sight {
  /** Changes as long as the event loop turns. */
  readonly beat: number;
  /** The rule whose code runs; 0 for none. */
  readonly rule: number;
  /** The event at hand, by its place in the journal. */
  readonly seq: number;
}

const [BEAT, RULE] = [0, 1];
const BYTES = 16;

/**
 * A few numbers in memory that the event loop writes and the watchdog's thread reads. Plain stores: they cost a few
 * nanoseconds around each rule, and who reads them looks at what has not changed for seconds.
 */
export class WatchdogMarks implements Omit<Whereabouts, 'number'> {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #seq: Float64Array;

  constructor(shared = new SharedArrayBuffer(BYTES)) {
    this.shared = shared;
    this.#words = new Int32Array(shared, 0, 2);
    this.#seq = new Float64Array(shared, 8, 1);
  }

  beat(): void {
    Atomics.add(this.#words, BEAT, 1);
  }

  handling(seq: number): void {
    this.#seq[0] = seq;
  }

  running(rule: number): void {
    this.#words[RULE] = rule;
  }

  look(): Sight {
    const words = this.#words;
    return { beat: Atomics.load(words, BEAT), rule: Atomics.load(words, RULE), seq: this.#seq[0] ?? 0 };
  }
}
