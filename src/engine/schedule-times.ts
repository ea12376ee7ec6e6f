import { Cron } from 'croner';
import type { BoundRule } from '../plugin/bot.ts';

type Schedule = NonNullable<BoundRule['schedule']>;

/** Due times lie on a fixed grid (multiples since 1970, or the cron's minutes), so that a restart finds the same ones. */
export interface ScheduleTimes {
  /** The first due time after `at`, ms since 1970; null when there is none any more. */
  after(at: number): number | null;
  /** The last due time at or before `at`; null when there was none. */
  lastBy(at: number): number | null;
}

export function scheduleTimes(schedule: Schedule): ScheduleTimes {
  if ('everyMs' in schedule) {
    const { everyMs } = schedule;
    const lastBy = (at: number): number => Math.floor(at / everyMs) * everyMs;
    return { after: (at) => lastBy(at) + everyMs, lastBy };
  }
  // Without a function croner only computes; it sets no timer.
  const cron = new Cron(schedule.cron, schedule.tz === undefined ? {} : { timezone: schedule.tz });
  return {
    after: (at) => cron.nextRun(new Date(at))?.getTime() ?? null,
    lastBy: (at) => cron.previousRuns(1, new Date(at + 1))[0]?.getTime() ?? null,
  };
}
