import type { Clock } from '../../../src/engine/ports.ts';

/** How a process can fare at a point. */
export type Fault = 'crash' | 'crash, long down' | 'freeze' | 'freeze, succeeded';

export const FREEZE_MS = 60_000;

/** One each: a shared one would hold every history that ever waited for it. */
const never = (): Promise<never> => new Promise(() => {});

/** One process: killed, it hears nothing and none of its timers runs; frozen, all of that waits until it wakes. */
export class Life {
  #dead = false;
  #frozen: Promise<void> | undefined;
  #missed: (() => void)[] = [];
  /** Since when notifications reach it without a break. */
  hearingSinceMs: number;

  /** The clock as this process sees it. */
  readonly clock: Clock;
  readonly #world: Clock;

  constructor(world: Clock) {
    this.#world = world;
    this.hearingSinceMs = world.monotonic();
    this.clock = {
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      after: (delayMs, work) =>
        world.after(delayMs, () => {
          if (this.#frozen) this.#missed.push(() => this.#dead || work());
          else if (!this.#dead) work();
        }),
    };
  }

  get hears(): boolean {
    return !this.#dead && !this.#frozen;
  }

  kill(): void {
    this.#dead = true;
  }

  /** Stands still; what was under way goes on first when it wakes, then the timers that came due meanwhile. */
  freeze(): void {
    this.#frozen = new Promise((wake) => {
      this.#world.after(FREEZE_MS, () => {
        this.#frozen = undefined;
        this.hearingSinceMs = this.#world.monotonic();
        wake();
        this.#world.after(0, () => {
          for (const work of this.#missed.splice(0)) work();
        });
      });
    });
  }

  /** What comes back from outside is heard once the process is awake, or never. */
  async heard<T>(outside: Promise<T>): Promise<T> {
    const settled = await outside.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    await this.#frozen;
    return this.#dead ? never() : settled();
  }
}
