import { z } from 'zod';
import { anyGlob } from './glob.ts';

const globs = z.array(z.string().min(1).max(512)).min(1).optional();

/** `{any, all, none}` of globs over tags. */
export const tagOption = z
  .strictObject({ any: globs, all: globs, none: globs })
  .refine((given) => Object.keys(given).length > 0, 'give at least one of any, all and none');

/** Tags are a set: their order says nothing. */
export function compileTags({
  any,
  all,
  none,
}: z.infer<typeof tagOption>): (tags: readonly string[]) => boolean {
  const anyOf = any && anyGlob(any);
  const allOf = all?.map((glob) => anyGlob([glob]));
  const noneOf = none && anyGlob(none);
  return (tags) =>
    (anyOf === undefined || tags.some(anyOf)) &&
    (allOf === undefined || allOf.every((one) => tags.some(one))) &&
    (noneOf === undefined || !tags.some(noneOf));
}
