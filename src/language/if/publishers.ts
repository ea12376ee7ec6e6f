import { z } from 'zod';
import type { PlaceView } from '../../domain/place-view.ts';
import { comparisonShape, hasBound, isImpossible, withinBounds } from '../comparison.ts';
import { roomCondition } from '../room-condition.ts';
import type { ConditionWord } from '../word.ts';

const options = z
  .strictObject({ ...comparisonShape, withVideo: z.boolean().optional() })
  .refine(hasBound, 'give a bound: over, under, atLeast or atMost');

const countPublishers = (room: PlaceView, withVideo: boolean | undefined): number => {
  const publishers = room.publishers();
  if (withVideo === undefined) return publishers.length;
  return publishers.filter(
    ({ streams }) => streams.some(({ video }) => video === 'TrackEnabled') === withVideo,
  ).length;
};

export const publishers: ConditionWord<z.infer<typeof options>> = {
  name: 'publishers',
  summary:
    'The number of publishers in the place is within bounds; `withVideo` counts only those that show a picture (or, false, none).',
  example: 'if: {publishers: {atLeast: 2, withVideo: true}}',
  options,
  needs: [],
  level: true,
  compile: (given, { rule, spot }) => {
    if (isImpossible(given))
      rule.bot.findings.warn(spot, 'no number lies within these bounds: this never holds');
    return roomCondition(4, (room) => withinBounds(countPublishers(room, given.withVideo), given));
  },
};
