import { z } from 'zod';

/** Below this a UNIX timestamp can only be seconds: as milliseconds it would lie before March 1973. */
const FIRST_MILLISECONDS = 1e11;

/** A UNIX timestamp in ms; the interface does not show the unit, so small values are read as seconds. 0 stays 0. */
export const unixTime = z
  .int()
  .min(0)
  .transform((value) => (value < FIRST_MILLISECONDS ? value * 1000 : value));

/** RFC 3339 text, kept as text (interface.md, convention 6). */
export const rfc3339 = z.iso.datetime({ offset: true });
