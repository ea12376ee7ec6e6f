import { Cron } from 'croner';
import { z } from 'zod';
import { describeError } from '../../errors.ts';
import { durationOption } from '../duration-option.ts';
import type { Trigger, TriggerSite, TriggerWord } from '../word.ts';

const MOST_OFTEN_MS = 1_000;

/** A schedule fires for one rule of one bot: others that hear schedules pass it over. */
const firedFor = ({ bot, rule }: TriggerSite): NonNullable<Trigger['occurs']> => {
  const name = bot.name;
  return (event) => event.type === 'schedule.fired' && event.bot === name && event.rule === rule;
};

export const every: TriggerWord<number> = {
  name: 'every',
  summary:
    'Time and again in each place of the scope, at least a second apart. What was missed while the daemon was down comes once, at its start.',
  example: 'when: {every: 5m}',
  options: durationOption().refine((ms) => ms >= MOST_OFTEN_MS, 'must be at least 1s'),
  hears: ['schedule.fired'],
  gives: ['chat'],
  compile: (everyMs, site) => ({ schedule: { everyMs }, occurs: firedFor(site) }),
};

export const schedule: TriggerWord<string> = {
  name: 'schedule',
  summary:
    'By a cron expression (minute, hour, day, month, weekday) in each place of the scope, in the time zone `tz`, else in UTC. A time that was missed while the daemon was down, or several, come once, at its start. A clock that is set back makes no time come twice.',
  example: 'when: {schedule: "0 4 * * *", tz: Europe/Berlin}',
  options: z.string().min(1).max(100),
  hears: ['schedule.fired'],
  gives: ['chat'],
  beside: ['tz'],
  compile: (cron, site) => {
    const zone = site.beside('tz');
    const tz = typeof zone?.value === 'string' ? zone.value : 'UTC';
    if (zone !== undefined && !isTimeZone(zone.value))
      site.bot.findings.error(zone, `unknown time zone "${zone.written}": write one such as Europe/Berlin`);
    const wrong = cronProblem(cron);
    if (wrong !== undefined) site.bot.findings.error(site.spot, `not a cron expression: ${wrong}`);
    return { schedule: { cron, tz }, occurs: firedFor(site) };
  },
};

function cronProblem(cron: string): string | undefined {
  try {
    const parsed = new Cron(cron, { paused: true, timezone: 'UTC' });
    return parsed.nextRun() === null ? 'it never fires' : undefined;
  } catch (error) {
    return describeError(error);
  }
}

function isTimeZone(name: unknown): boolean {
  try {
    if (typeof name === 'string') new Intl.DateTimeFormat('en', { timeZone: name }).format(0);
    return typeof name === 'string';
  } catch {
    return false; // Intl throws a RangeError for exactly the names that it does not know
  }
}
