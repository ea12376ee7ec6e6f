import { OPERATION_NAMES } from '../../platform/index.ts';
import { z } from 'zod';
import { milliseconds } from '../milliseconds.ts';

const operationName = z.enum(OPERATION_NAMES as [string, ...string[]]); // the table is not empty

const aim = {
  /** How often it strikes; once by default, or without end when there is a probability or a quota. */
  count: z.union([z.int().min(1), z.literal('always')]).optional(),
  /** Of each candidate, by the seed. */
  probability: z.number().min(0).max(1).optional(),
  /** Candidates that it lets pass first. */
  skip: z.int().min(0).optional(),
};

/** What is to go wrong with requests of an operation. */
export const requestFault = z.strictObject({
  ...aim,
  /** Name, number, or `*` for all. */
  operation: z
    .union([operationName, z.int().min(1).max(33), z.literal('*')], {
      error: 'neither the name nor the number of an operation, nor *',
    })
    .default('*'),
  /** Lets so many a second pass and strikes the rest: a quota, in force until it is cleared. */
  perSecond: z.number().positive().optional(),
  /** HTTP status of the answer. */
  status: z.int().min(200).max(599).optional(),
  /** JSON for an object, as it stands for text; by default the documented status word. */
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  contentType: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  delay: milliseconds.optional(),
  reset: z.boolean().optional(),
  truncate: z.boolean().optional(),
  hang: z.boolean().optional(),
  /** The operation takes effect first, and only its answer fails. */
  commit: z.boolean().optional(),
});

/** What is to go wrong with notifications on their way out. */
export const webhookFault = z.strictObject({
  ...aim,
  webhook: z.enum(['duplicate', 'reorder', 'delay', 'drop']),
  what: z.enum(['started', 'ended', 'live', 'on-demand']).optional(),
  /** For `delay`, and the longest that `reorder` waits for another notification. */
  delay: milliseconds.optional(),
  /** How many copies a duplicate makes. */
  copies: z.int().min(1).max(100).optional(),
});

/** Either kind; `webhook` tells which, so that findings speak of the right one. */
export const faultRule = z.looseObject({}).transform((value, context): RequestFault | WebhookFault => {
  const read = 'webhook' in value ? webhookFault.safeParse(value) : requestFault.safeParse(value);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

export type RequestFaultRule = z.input<typeof requestFault>;
export type WebhookFaultRule = z.input<typeof webhookFault>;
export type RequestFault = z.output<typeof requestFault>;
export type WebhookFault = z.output<typeof webhookFault>;
