import { z } from 'zod';
import type { DocumentedStatus } from '../operation.ts';

/** An opaque identifier in a path; `encodePathSegment` says which cannot be sent. */
export const id = z.string().min(1);

/** A whole number in a query, read from a number or from its digits. */
export const wholeNumber = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0));

/** A JSON response: `status: "ok"` and the given fields; unknown fields are dropped. */
export const ok = <Shape extends z.ZodRawShape>(shape: Shape) => ({
  kind: 'json' as const,
  schema: z.object({ status: z.literal('ok'), ...shape }),
});

export const none = z.object({});

/** Options and reason of kill (interface.md, endpoint 14). */
export const killBody = z.object({
  reason: z.string().optional(),
  options: z.array(z.enum(['keep-streams'])).optional(),
});

/** interface.md, endpoint 13: `force` replaces streams of the same session, `additive` adds to existing members. */
export const forkBody = z.object({
  streamTags: z.array(z.string()).optional(),
  streamCapabilities: z.array(z.string()).optional(),
  options: z.array(z.enum(['force', 'additive', 'keep-streams'])).optional(),
});

/** Criteria of a publisher count (interface.md, endpoint 15). */
export const countQuery = z.object({
  failIfLess: wholeNumber.optional(),
  withStreams: wholeNumber.optional(),
  withScreenName: z.string().optional(),
});

export const liveManifest = z.enum(['live.m3u8', 'live.mpd']);
/** The edge token of a stream protected by `token-auth`; a secret. */
export const manifestQuery = z.object({ streamToken: z.string().optional() });

export const rateLimited: DocumentedStatus = { http: 504, status: ['rate-limited'], when: 'overloaded' };
export const timeExceeded: DocumentedStatus = { http: 504, status: ['time-exceeded'], when: 'took too long' };
export const optionsMisfit: DocumentedStatus = {
  http: 400,
  status: [],
  when: 'options is not an array of strings',
};
export const reasonMisfit: DocumentedStatus = {
  http: 401,
  status: ['unauthorized'],
  when: 'reason is not a string',
};
export const notFound = (...status: readonly string[]): DocumentedStatus => ({
  http: 404,
  status: status.length === 0 ? ['not-found'] : status,
});
