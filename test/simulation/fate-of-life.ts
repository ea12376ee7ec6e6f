import type { Random } from '../../src/sandbox/random.ts';
import { between, pick } from './weather.ts';

/** When something befalls a life: at the n-th time that it crosses to the outside, or does so in one certain way. */
export interface FateOfLife {
  /** Counts a crossing; true at the one. */
  comes(crossing: string): boolean;
}

/** The steps at which dying hurts; most crossings are polls, and few seeds would ever hit these. */
const STEPS = ['append', 'commit', 'mark', 'deed', 'settle'] as const;

/** Many come young, some late. */
const count = (random: Random, most: number): number =>
  Math.ceil(Math.exp(between(random, 0, Math.log(most))));

export function fateOfLife(random: Random): FateOfLife {
  const step = random() < 0.7 ? pick(random, STEPS) : undefined;
  let left = count(random, step === undefined ? 3_000 : 60);
  return {
    comes(crossing) {
      if (step !== undefined && !crossing.endsWith(` ${step}`)) return false;
      left -= 1;
      return left <= 0;
    },
  };
}
