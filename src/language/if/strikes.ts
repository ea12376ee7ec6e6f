import { z } from 'zod';
import { comparisonShape, hasBound, isImpossible, withinBounds } from '../comparison.ts';
import { HOLDS } from '../evidence.ts';
import { resolveLadder } from '../resolve-ladder.ts';
import type { ConditionWord } from '../word.ts';

const options = z
  .strictObject({ ...comparisonShape, ladder: z.string().optional() })
  .refine(hasBound, 'give a bound: over, under, atLeast or atMost');

export const strikes: ConditionWord<z.infer<typeof options>> = {
  name: 'strikes',
  summary:
    "The member's points on a ladder, after decay and before this event, are within bounds; `ladder` may be left out where there is only one.",
  example: 'if: {strikes: {ladder: chat, atLeast: 2}}',
  options,
  needs: ['member'],
  compile: (given, { rule, spot }) => {
    const ladder = resolveLadder(rule.bot, given.ladder, spot);
    if (isImpossible(given))
      rule.bot.findings.warn(spot, 'no number lies within these bounds: this never holds');
    return {
      cost: 6,
      test: (moment) => {
        const subject = moment.subject();
        if (subject === undefined || ladder === undefined) return undefined;
        return withinBounds(moment.room.strikes(ladder, subject.key), given) ? HOLDS : undefined;
      },
    };
  },
};
