import { z } from 'zod';
import { parseDuration } from '../domain/duration.ts';

/** Milliseconds, from a number or from text like `3s`. */
export const milliseconds = z.union([z.number(), z.string()]).transform((value, context): number => {
  const ms = typeof value === 'number' ? value : parseDuration(value);
  if (ms !== undefined && ms >= 0) return ms;
  context.addIssue({ code: 'custom', message: `"${value}" is no duration like 500ms, 10s, 5m` });
  return z.NEVER;
});
