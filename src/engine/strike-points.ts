import type { Ladder } from '../plugin/bot.ts';
import type { Strikes } from './records.ts';

/** Points after decay at `now`: whole steps of time take whole steps of points. */
export function strikePoints(strikes: Strikes | undefined, ladder: Ladder | undefined, now: number): number {
  if (!strikes) return 0;
  const { decay } = ladder ?? {};
  if (!decay) return strikes.points;
  const steps = Math.max(0, Math.floor((now - strikes.at) / decay.everyMs));
  return Math.max(0, strikes.points - steps * decay.points);
}
