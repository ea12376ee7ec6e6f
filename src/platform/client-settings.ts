import { z } from 'zod';
import { UsherError } from '../errors.ts';
import type { ClientHooks } from './client-hooks.ts';
import type { ClientTime } from './client-time.ts';
import { isLoopback } from './loopback.ts';
import type { RetryBudgetOptions } from './retry-budget.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { Transport } from './transport.ts';

export interface PlatformClientOptions {
  /** Origin of the platform, with a path where the deployment has one; credentials and query are refused. */
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly secret: string;
  /** `/svc` when absent. */
  readonly pathPrefix?: string | undefined;
  /** `/video` when absent. */
  readonly videoPrefix?: string | undefined;
  /** Lets plain HTTP leave the machine, where anybody on the way reads the secret. */
  readonly allowInsecure?: boolean | undefined;
  /** Of one attempt, ms; 10 s when absent. */
  readonly deadlineMs?: number | undefined;
  /** In part or whole instead of the interface's advice. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly retryBudget?: Partial<RetryBudgetOptions> | undefined;
  readonly hooks?: ClientHooks | undefined;
  /** Sockets at most; 64 when absent. */
  readonly connections?: number | undefined;
  /** 16 MiB when absent. */
  readonly maxResponseBytes?: number | undefined;
  /** Where tags of a composition go, since the interface shows two places; `composition` when absent. */
  readonly compositionTags?: 'composition' | 'request' | 'both' | undefined;
  readonly time?: ClientTime | undefined;
  /** From 0 to below 1, for jitter. */
  readonly random?: (() => number) | undefined;
  /** Instead of connections to `baseUrl`, for tests. */
  readonly transport?: Transport | undefined;
}

/** The options of a client are wrong; `faults` holds all of them, without secrets. */
export class ClientOptionsError extends UsherError {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super('client-options', `The options of the platform client are wrong: ${faults.join('; ')}.`, {
      data: { faults },
    });
    this.faults = faults;
  }
}

const prefix = z.string().regex(/^(?:\/[\w.~-]+)*$/, 'must be empty or start with "/" and not end with it');
const positive = z.number().positive();

const settings = z.object({
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  applicationId: z.string().regex(/^[^:\p{Cc}]+$/u, 'must not be empty and hold no colon (HTTP Basic)'),
  secret: z.string().regex(/^\P{Cc}+$/u, 'must not be empty and hold no control characters'),
  pathPrefix: prefix.default('/svc'),
  videoPrefix: prefix.default('/video'),
  allowInsecure: z.boolean().default(false),
  deadlineMs: positive.default(10_000),
  connections: z.int().positive().default(64),
  maxResponseBytes: z
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  compositionTags: z.enum(['composition', 'request', 'both']).default('composition'),
});
export type ClientSettings = Omit<z.output<typeof settings>, 'baseUrl'> & { readonly baseUrl: URL };

/** Checks the options of a client, all at once. Throws `ClientOptionsError`. */
export function readClientSettings(options: PlatformClientOptions): ClientSettings {
  const parsed = settings.safeParse(options);
  if (!parsed.success)
    throw new ClientOptionsError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  const baseUrl = new URL(parsed.data.baseUrl);
  const faults: string[] = [];
  if (baseUrl.username !== '' || baseUrl.password !== '' || baseUrl.search !== '' || baseUrl.hash !== '')
    faults.push('baseUrl: must hold no credentials, query or fragment');
  if (baseUrl.protocol === 'http:' && !isLoopback(baseUrl.hostname) && !parsed.data.allowInsecure)
    faults.push(
      `baseUrl: plain HTTP to ${baseUrl.hostname} would show the secret on the way; use https, or set allowInsecure`,
    );
  if (faults.length > 0) throw new ClientOptionsError(faults);
  return { ...parsed.data, baseUrl };
}
