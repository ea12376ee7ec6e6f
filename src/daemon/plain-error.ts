/** An error as plain data. */
export interface PlainError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string | undefined;
  readonly cause?: PlainError | string;
}

/** What an error says, and nothing that hangs on it: its own fields may hold a whole request, headers and all. */
export function plainError(error: Error, depth = 0): PlainError {
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && { code: String(error.code) }),
    stack,
    ...(cause !== undefined &&
      depth < 4 && { cause: cause instanceof Error ? plainError(cause, depth + 1) : typeof cause }),
  };
}
