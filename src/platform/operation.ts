import type { z } from 'zod';

/**
 * What may be sent again when its fate is unknown. `read` changes nothing; `idempotent`: a second time ends in the same
 * state, told by an `already` answer; `createGuarded`: a second time is refused with 409; `unsafe`: a second time may
 * happen twice; `harmless`: a second time only makes one more token.
 */
export type SafetyClass = 'read' | 'idempotent' | 'createGuarded' | 'unsafe' | 'harmless';

/**
 * `body`: `applicationId` and `secret` in the JSON body; `basic`: header; `basicOrBody`: header, or the deprecated body
 * field `credentials`; `streamToken`: nothing, but a query `streamToken` for protected streams.
 */
export type Authentication = 'body' | 'basic' | 'basicOrBody' | 'streamToken';

/** A documented answer besides the common ones: `status` lists its spellings, empty when none is documented. */
export interface DocumentedStatus {
  readonly http: number;
  readonly status: readonly string[];
  readonly when?: string;
}

/** What a success carries: JSON by schema, a number as plain text, a playlist, or a redirect to one. */
export type ResponseKind =
  | { readonly kind: 'json'; readonly schema: z.ZodObject }
  | { readonly kind: 'count' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'redirect' };

/** One operation of interface.md. Client, sandbox, documentation and conformance suite are made from it. */
export interface Operation {
  /** Its number in interface.md, "Endpoints". */
  readonly number: number;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `svc` and `video` are configurable prefixes. */
  readonly prefix: 'svc' | 'video';
  /** Below the prefix; `{name}` is a parameter of `params`, one path segment, percent-encoded. */
  readonly path: `/${string}`;
  readonly authentication: Authentication;
  readonly params: z.ZodObject;
  /** Reads numbers from numbers and from text, so that both sides can use it. */
  readonly query: z.ZodObject;
  /** JSON body without credentials; null when the operation has none. */
  readonly request: z.ZodObject | null;
  readonly response: ResponseKind;
  readonly success: 200 | 302;
  readonly statuses: readonly DocumentedStatus[];
  readonly safety: SafetyClass;
  /** Answers that mean "it is done already": success when an earlier attempt may have done it. */
  readonly already: readonly { readonly http: number; readonly status?: string }[];
  /** The interface asks for `Content-Length: 0`. */
  readonly emptyBody?: true;
  readonly summary: string;
}

/** interface.md, "Endpoints": what any operation may answer besides its own statuses. */
export const COMMON_STATUSES: readonly DocumentedStatus[] = [
  { http: 400, status: [], when: 'the request has a problem' },
  { http: 401, status: ['unauthorized'], when: 'the credentials could not be authorized' },
  { http: 503, status: ['capacity'], when: 'temporarily overloaded; retry once' },
];
