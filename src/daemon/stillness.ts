import type { Sight } from './watchdog-marks.ts';

/** What a look at the event loop came to; times in ms. `call` is the author's code that has not come back. */
export interface Finding {
  readonly kind: 'blocked' | 'end' | 'over';
  readonly stillMs: number;
  readonly call?: { readonly rule: number; readonly seq: number; readonly forMs: number };
}

export interface StillnessSettings {
  /** Between two looks. */
  readonly tickMs: number;
  readonly warnAfterMs: number;
  /** Infinity: never. */
  readonly endAfterMs: number;
}

/**
 * How long the event loop has stood still, counted in looks and by no clock: a process that was frozen, or a laptop
 * that slept, took no looks either, so that such a time is no blocked rule. Warns at `warnAfterMs` and each time the
 * stillness has doubled.
 */
export class Stillness {
  readonly #settings: StillnessSettings;
  #seen: Sight = { beat: -1, rule: 0, seq: 0 };
  #looks = 0;
  /** Looks at which the very same call was there. */
  #sameCall = 0;
  #warnAt: number;

  constructor(settings: StillnessSettings) {
    this.#settings = settings;
    this.#warnAt = settings.warnAfterMs;
  }

  look(sight: Sight): Finding | undefined {
    const { tickMs, warnAfterMs, endAfterMs } = this.#settings;
    const before = this.#seen;
    this.#seen = sight;
    if (sight.beat !== before.beat) {
      const stillMs = this.#looks * tickMs;
      this.#looks = 0;
      this.#sameCall = 0;
      this.#warnAt = warnAfterMs;
      return stillMs >= warnAfterMs ? { kind: 'over', stillMs } : undefined;
    }
    this.#looks += 1;
    const same = sight.rule !== 0 && sight.rule === before.rule && sight.seq === before.seq;
    this.#sameCall = same ? this.#sameCall + 1 : 0;
    const stillMs = this.#looks * tickMs;
    const forMs = this.#sameCall * tickMs;
    // Many short calls in a row are nobody's fault alone.
    const call = forMs * 2 >= stillMs ? { call: { rule: sight.rule, seq: sight.seq, forMs } } : {};
    if (stillMs >= endAfterMs) return { kind: 'end', stillMs, ...call };
    if (stillMs < this.#warnAt) return undefined;
    this.#warnAt *= 2;
    return { kind: 'blocked', stillMs, ...call };
  }
}
