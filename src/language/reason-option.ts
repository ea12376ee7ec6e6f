import { z } from 'zod';

/** A reason that is told to the platform or to members: one line. */
export const reasonOption = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'a reason is one line without control characters');
