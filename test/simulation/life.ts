import type { Clock } from '../../src/engine/ports.ts';
import type { Timeline } from './timeline.ts';

/** Ms since 1970 at which every simulation begins. */
export const BEGINNING = Date.UTC(2026, 0, 1, 12);

/**
 * One process of the daemon, from its start to its death. All that it learns of the world passes here: once it is dead
 * it gets no answer any more, none of its timers runs, and nothing that it does reaches anybody.
 */
export interface Life {
  readonly number: number;
  readonly alive: boolean;
  readonly clock: Clock;
  /** Awaits something of the world outside. The process may die before `work` is begun, and after it was done. */
  cross<T>(what: string, work: () => Promise<T>): Promise<T>;
  die(): void;
  /** It stands still, as under SIGSTOP: what comes in the meantime it sees afterwards. */
  freeze(ms: number): void;
}

/** A new one each time: a shared one would keep whatever waits for it. */
const never = (): Promise<never> => new Promise(() => {});

export function createLife(
  timeline: Timeline,
  number: number,
  /** Told of each crossing, in and out; may end the life. */
  crossing: (life: Life, what: string) => void,
): Life {
  const bornAt = timeline.now();
  let alive = true;
  let thawsAt = 0;

  /** Came while it stood still: answers of the disk are read in the order in which they came. */
  let asleep: (() => unknown)[] = [];

  const awake = (work: () => unknown): void => {
    if (!alive) return;
    if (timeline.now() < thawsAt) asleep.push(work);
    else work();
  };

  const thaw = (): void => {
    if (timeline.now() < thawsAt) return;
    const works = asleep;
    asleep = [];
    for (const work of works) if (alive) work();
  };

  const life: Life = {
    number,
    get alive() {
      return alive;
    },
    clock: {
      now: () => BEGINNING + Math.floor(timeline.now()),
      monotonic: () => timeline.now() - bornAt,
      after(delayMs, work) {
        let cancelled = false;
        // Several may be late together after a freeze, and the first take back the others.
        const cancel = timeline.after(delayMs, () => awake(() => cancelled || work()));
        return () => {
          cancelled = true;
          cancel();
        };
      },
    },
    async cross(what, work) {
      crossing(life, `before ${what}`);
      if (!alive) return never();
      // A refusal is an answer like any other: the process may die of it, too.
      const outcome = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      await new Promise<void>(awake);
      crossing(life, `after ${what}`);
      if (!alive) return never();
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
    die() {
      alive = false;
    },
    freeze(ms) {
      thawsAt = timeline.now() + ms;
      timeline.after(ms, thaw);
    },
  };
  return life;
}
