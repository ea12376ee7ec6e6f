import * as z from 'zod';
import type { Ban } from '../engine/ports.ts';

/** `data/operator.json` as people may read and edit it while the daemon is stopped. */
export const operatorDocument = z.object({
  bans: z
    .array(
      z.object({
        bot: z.string(),
        member: z.templateLiteral([z.enum(['session', 'name']), ':', z.string()]),
        screenName: z.string(),
        reason: z.string(),
        until: z.number(),
        action: z.string(),
      }) satisfies z.ZodType<Ban>,
    )
    .default([]),
  timestampUnit: z.enum(['s', 'ms']).optional(),
  callback: z.string().optional(),
  /** Set by `usher doctor` where history was lost: what happened before, ms since 1970, is not answered again. */
  quietBefore: z.number().optional(),
});

export type OperatorDocument = z.infer<typeof operatorDocument>;
