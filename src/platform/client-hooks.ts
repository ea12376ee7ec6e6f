import type { OperationName } from './operations.ts';

export interface AttemptInfo {
  readonly operation: OperationName;
  /** From 1. */
  readonly attempt: number;
}

/** For metrics and logs; no secret passes here. A hook must not throw: it would end the call that it watches. */
export interface ClientHooks {
  onRequest?(info: AttemptInfo): void;
  onResponse?(
    info: AttemptInfo & {
      readonly durationMs: number;
      /** Absent when no answer came. */
      readonly httpStatus?: number | undefined;
      /** `ok`, or the `code` of the error that the attempt would end with. */
      readonly code: string;
    },
  ): void;
  onRetry?(info: AttemptInfo & { readonly delayMs: number; readonly code: string }): void;
}
