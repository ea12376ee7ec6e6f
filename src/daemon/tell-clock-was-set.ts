import { formatDuration } from '../domain/duration.ts';
import type { Count } from '../engine/ports.ts';
import type { Log } from './log.ts';
import type { ClockWasSet } from './steady-clock.ts';

/** Says what the daemon makes of a clock that somebody set, and what to do. */
export const tellClockWasSet =
  (log: Log, count: Count): ClockWasSet =>
  (byMs) => {
    count('clock.set', { to: byMs > 0 ? 'ahead' : 'back' });
    const by = formatDuration(Math.round(Math.abs(byMs) / 1_000) * 1_000);
    if (byMs > 0)
      log.warn(
        { byMs },
        `The machine's clock went ahead by ${by}, or the machine slept: what came due meanwhile comes now.`,
      );
    else
      log.warn(
        { byMs },
        `The machine's clock was set back by ${by}. Nothing waits for it: the daemon's own time goes on, a tenth slower until both agree. Check the time service; a restart takes the new time at once.`,
      );
  };
