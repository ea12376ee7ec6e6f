import { z } from 'zod';
import { ROOM_TYPES } from '../../domain/place.ts';
import { comparisonShape, hasBound, isImpossible, withinBounds } from '../comparison.ts';
import { anyGlob } from '../glob.ts';
import { oneOrMore } from '../one-or-more.ts';
import { roomCondition } from '../room-condition.ts';
import type { ConditionWord } from '../word.ts';

const options = z
  .strictObject({
    alias: oneOrMore(z.string().min(1).max(256)).optional(),
    type: oneOrMore(z.enum(ROOM_TYPES)).optional(),
    size: z
      .strictObject(comparisonShape)
      .refine(hasBound, 'give a bound: over, under, atLeast or atMost')
      .optional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'give at least one of alias, type and size');

export const room: ConditionWord<z.infer<typeof options>> = {
  name: 'room',
  summary:
    'The room has an `alias` that fits the globs, is of a `type`, and its number of members (`size`) is within bounds.',
  example: 'if: {room: {type: TownHall, size: {over: 100}}}',
  options,
  needs: [],
  level: true,
  compile: ({ alias, type, size }, { rule, spot }) => {
    const named = alias && anyGlob(alias);
    if (size && isImpossible(size))
      rule.bot.findings.warn(
        spot.get('size') ?? spot,
        'no number lies within these bounds: this never holds',
      );
    return roomCondition(
      2,
      (facts) =>
        (type === undefined || (facts.type !== undefined && type.includes(facts.type))) &&
        (named === undefined || named(facts.alias)) &&
        (size === undefined || withinBounds(facts.members.size, size)),
    );
  },
};
