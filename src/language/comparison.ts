import { z } from 'zod';

const number = z.number().min(0);

/** `{over, under, atLeast, atMost}`: one or more bounds of a count. */
export const comparisonShape = {
  over: number.optional(),
  under: number.optional(),
  atLeast: number.optional(),
  atMost: number.optional(),
};

interface Bounds {
  readonly over?: number | undefined;
  readonly under?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** True when at least one bound is given: a comparison without one says nothing. */
export const hasBound = (bounds: Bounds): boolean =>
  [bounds.over, bounds.under, bounds.atLeast, bounds.atMost].some((bound) => bound !== undefined);

export const withinBounds = (count: number, { over, under, atLeast, atMost }: Bounds): boolean =>
  (over === undefined || count > over) &&
  (under === undefined || count < under) &&
  (atLeast === undefined || count >= atLeast) &&
  (atMost === undefined || count <= atMost);

/** True when no count at all lies within the bounds. */
export const isImpossible = ({ over, under, atLeast, atMost }: Bounds): boolean => {
  const least = Math.max(over === undefined ? 0 : Math.floor(over) + 1, Math.ceil(atLeast ?? 0));
  const most = Math.min(
    under === undefined ? Infinity : Math.ceil(under) - 1,
    Math.floor(atMost ?? Infinity),
  );
  return least > most;
};
