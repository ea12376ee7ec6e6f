import { z } from 'zod';
import { rfc3339 } from './unix-time.ts';

const envelope = {
  apiVersion: z.int(),
  entity: z.literal('stream'),
  sessionId: z.string(),
  timestamp: rfc3339,
};
const tags = z.array(z.string());
const available = z.object({
  streamId: z.string().min(1),
  uri: z.string(),
  isPrimary: z.boolean(),
  isVariant: z.boolean().optional(),
});

/** The four documented kinds (interface.md, "Events"). Unknown fields are dropped, never refused. */
const notification = z.discriminatedUnion('what', [
  z.object({
    ...envelope,
    what: z.literal('started'),
    data: z.object({ streamId: z.string().min(1), tags }),
  }),
  z.object({
    ...envelope,
    what: z.literal('ended'),
    /** A second `ended` of one stream is seen with null in `duration` (ms) and `reason`. */
    data: z.object({
      streamId: z.string().min(1),
      tags: tags.nullish(),
      duration: z.int().nullish(),
      reason: z.string().nullish(),
    }),
  }),
  z.object({ ...envelope, what: z.literal('live'), data: available }),
  z.object({ ...envelope, what: z.literal('on-demand'), data: available }),
]);
const kind = z.object({ entity: z.string(), what: z.string() });
const KNOWN: ReadonlySet<string> = new Set(['started', 'ended', 'live', 'on-demand']);

type Parsed = z.output<typeof notification>;
type Available = Omit<z.output<typeof available>, 'isVariant'> & {
  /** @deprecated The interface says that this flag is wrong: use `isPrimary`. */
  readonly isVariant?: boolean | undefined;
};

/** The body of a notification, discriminated by `what`. */
export type Notification =
  | Extract<Parsed, { what: 'started' | 'ended' }>
  | (Omit<Extract<Parsed, { what: 'live' | 'on-demand' }>, 'data'> & { readonly data: Available });

/**
 * `unknown-kind` is to be accepted: new kinds arrive without a new `apiVersion` (interface.md, "Versioning").
 * `misfit` is a known kind in a shape that the interface does not promise, with the fields at fault.
 */
export type NotificationReading =
  | { readonly kind: 'known'; readonly notification: Notification }
  | { readonly kind: 'unknown-kind'; readonly entity: string; readonly what: string }
  | { readonly kind: 'misfit'; readonly faults: readonly string[] };

const faultsOf = (error: z.core.$ZodError): string[] =>
  error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);

/** Reads the parsed JSON of a notification; never throws. */
export function readNotification(body: unknown): NotificationReading {
  const known = notification.safeParse(body);
  if (known.success) return { kind: 'known', notification: known.data };
  const head = kind.safeParse(body);
  if (!head.success) return { kind: 'misfit', faults: faultsOf(head.error) };
  const { entity, what } = head.data;
  if (entity === 'stream' && KNOWN.has(what)) return { kind: 'misfit', faults: faultsOf(known.error) };
  return { kind: 'unknown-kind', entity, what };
}
