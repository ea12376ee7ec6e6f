/**
 * The base of every error that usher throws on purpose. `code` is literal and stable: branch on it, never on the
 * message. The message says what happened, likely why, and what to do; it never holds a secret.
 */
export class UsherError extends Error {
  readonly code: string;
  /** Evidence for logs and programs; never secrets. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    options: { readonly data?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.data = options.data ?? {};
  }
}

/** The configuration or a bot file is wrong: nothing starts, all findings are told at once (exit 78). */
export class ConfigurationError extends UsherError {
  /** One line each: `file:line:col path: message`. */
  readonly findings: readonly string[];
  constructor(findings: readonly string[]) {
    super('configuration', findings.join('\n'), { data: { findings } });
    this.findings = findings;
  }
}

/** What waits for the lanes is as much as it may be: the receiver answers 503 and the platform tries again. */
export class InboxFullError extends UsherError {
  /** `lane`: the one that holds more than is free for it; none when the inbox as a whole is full. */
  constructor(held: { readonly events: number; readonly bytes: number }, lane?: string) {
    const { events, bytes } = held;
    super(
      'inbox-full',
      `${lane === undefined ? 'The inbox holds' : `${lane} alone holds`} ${events} events (${Math.ceil(bytes / 1_000_000)} MB) ` +
        'that wait for rules; new ones are refused until it drains. Look for a slow rule, a slow disk or a flood.',
      { data: { events, bytes, ...(lane !== undefined && { lane }) } },
    );
  }
}

/** A durable write did not happen (disk full, read-only, closed): nothing may be acknowledged. */
export class StoreError extends UsherError {
  constructor(message: string, cause?: unknown) {
    super('store', message, { cause });
  }
}

/** What to print of a thrown value of unknown type, whatever it is; never throws. */
export const describeError = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'An error that does not let itself be read.';
  }
};
