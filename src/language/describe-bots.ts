import { GUARANTEES } from '../domain/action.ts';
import type { ActionType, Guarantee } from '../domain/action.ts';
import { formatDuration } from '../domain/duration.ts';
import type { Bot, BoundRule, Mode } from '../plugin/bot.ts';

/** A line of the table that `usher check` prints. */
export interface BotRow {
  readonly bot: string;
  readonly rule: string;
  readonly shape: 'when' | 'keep' | 'use';
  readonly mode: Mode;
  /** Event types, or the schedule; for a keeper the state of its places. */
  readonly hears: string;
  readonly does: string;
  /** The weakest of what it does. */
  readonly guarantee: Guarantee;
  /** `bots/house.yaml:12:5`. */
  readonly from: string;
}

const FROM_WEAK_TO_STRONG: readonly Guarantee[] = ['advisory', 'emulated', 'exact'];

/** Every rule that is loaded, in file order. */
export const describeBots = (bots: readonly Bot[]): readonly BotRow[] =>
  bots.flatMap(({ name, rules }) =>
    rules.map((rule) => ({
      bot: name,
      rule: rule.id,
      shape: shapeOf(rule),
      mode: rule.mode,
      hears: hearingOf(rule),
      does: [...rule.mayDo].join(', '),
      guarantee: weakest([...rule.mayDo]),
      from: rule.from,
    })),
  );

/** Definitions that the language made are named by their word: `when message`, `keep transcoding`. */
function shapeOf({ definition: { name } }: BoundRule): BotRow['shape'] {
  if (name.startsWith('when ')) return 'when';
  return name.startsWith('keep ') ? 'keep' : 'use';
}

function hearingOf({ definition, schedule }: BoundRule): string {
  if (schedule !== undefined)
    return 'everyMs' in schedule
      ? `every ${formatDuration(schedule.everyMs)}`
      : `at ${schedule.cron}${schedule.tz === undefined ? '' : ` ${schedule.tz}`}`;
  return definition.kind === 'keeper' ? 'the state of its places' : definition.hears.join(', ');
}

const weakest = (types: readonly ActionType[]): Guarantee =>
  FROM_WEAK_TO_STRONG.find((guarantee) => types.some((type) => GUARANTEES[type] === guarantee)) ?? 'exact';
