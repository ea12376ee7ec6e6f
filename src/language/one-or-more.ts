import { z } from 'zod';

/** A value or a list of values, read as a list. */
export const oneOrMore = <T extends z.ZodType>(item: T) =>
  z
    .union([item, z.array(item).min(1)])
    .transform((given): readonly z.output<T>[] => (Array.isArray(given) ? given : [given]));
