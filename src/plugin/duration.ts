import { z } from 'zod';
import { parseDuration } from '../domain/duration.ts';

type DurationText = z.ZodType<number, string>;

/** A duration whose default is written as bot files write it; `z`'s own `default` would want milliseconds. */
export type DurationType = DurationText & { default(text: string): z.ZodPrefault<DurationText> };

/**
 * A zod type for options: `500ms 10s 5m 2h 30d` in bot files, milliseconds in the rule.
 *
 * ```ts
 * options: z.strictObject({ within: duration().default('60s') })
 * ```
 */
export function duration(): DurationType {
  const schema: DurationText = z.string().transform((text, context) => {
    const ms = parseDuration(text);
    if (ms !== undefined) return ms;
    context.issues.push({
      code: 'custom',
      input: text,
      message: `"${text}" is no duration; write one number and one unit, as in 500ms, 10s, 5m, 2h or 30d`,
    });
    return z.NEVER;
  });
  return Object.assign(schema, {
    default: (text: string) => {
      if (parseDuration(text) === undefined)
        throw new TypeError(`duration().default: "${text}" is no duration.`);
      return schema.prefault(text);
    },
  });
}
