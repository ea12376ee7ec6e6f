import type { Clock, Log } from '../engine/ports.ts';

/** How often trouble that goes on is told again. */
const PERIOD_MS = 60_000;

/** Something that happens a thousand times a second while it lasts, and is told once in a while. */
export interface Trouble {
  /** It happened once more. */
  happened(data: object): void;
}

/** Tells the first time at once, then once per period how often, then that it is over. */
export function createTrouble(of: {
  readonly clock: Clock;
  readonly log: Log;
  /** What is wrong and what to do. */
  readonly begins: string;
  readonly over: string;
}): Trouble {
  const { clock, log, begins, over } = of;
  let lasts = false;
  let times = 0;
  let inAll = 0;
  let latest: object = {};

  const look = (): void => {
    if (times === 0) {
      log.info({ times: inAll }, over);
      lasts = false;
      inAll = 0;
      return;
    }
    log.warn({ ...latest, times }, begins);
    times = 0;
    clock.after(PERIOD_MS, look);
  };

  return {
    happened(data) {
      latest = data;
      inAll += 1;
      if (lasts) {
        times += 1;
        return;
      }
      lasts = true;
      log.warn({ ...data, times: 1 }, begins);
      clock.after(PERIOD_MS, look);
    },
  };
}
