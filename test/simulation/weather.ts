import type { Random } from '../../src/sandbox/random.ts';

/** How bad a run is, drawn once: some runs are calm but for crashes, others are storms. */
export interface Weather {
  /** Of the requests, the share that goes wrong. */
  readonly requests: number;
  /** Of the notifications. */
  readonly notifications: number;
  /** How often the daemon dies. */
  readonly crashes: number;
  /** How often it stands still for longer than a deadline. */
  readonly freezes: number;
  /** Spans in which the disk refuses writes. */
  readonly diskTrouble: number;
  /** How often an operator stops the daemon and starts it again. */
  readonly stops: number;
  /** How often the bots are loaded anew. */
  readonly reloads: number;
  /** A sync takes up to so long, ms. */
  readonly syncMs: number;
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

/** From `low` up to below `high`. */
export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);

export const weatherOf = (random: Random): Weather => ({
  requests: pick(random, [0, 0.05, 0.15, 0.4]),
  notifications: pick(random, [0, 0.1, 0.4]),
  crashes: pick(random, [0, 1, 2, 3, 5]),
  freezes: pick(random, [0, 0, 1, 2]),
  diskTrouble: pick(random, [0, 0, 1, 2]),
  stops: pick(random, [0, 0, 1]),
  reloads: pick(random, [0, 0, 2]),
  syncMs: pick(random, [1, 10, 60, 600]),
});

/** What comes after each weather. */
export const CALM = { requests: 0, notifications: 0, syncMs: 5 } as const satisfies Partial<Weather>;

/** All of it at once: the shortest way to a bug that is known to be there. */
export const STORM: Weather = {
  requests: 0.2,
  notifications: 0.4,
  crashes: 5,
  freezes: 1,
  diskTrouble: 2,
  stops: 0,
  reloads: 0,
  syncMs: 60,
};
