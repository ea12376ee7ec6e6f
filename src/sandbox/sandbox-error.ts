import { UsherError } from '../errors.ts';

/** Which of the three it was: no such room, session or stream; a bad value; an alias or name in use. */
export type SandboxErrorCode = 'unknown-id' | 'invalid-request' | 'taken';

/** A verb of the sandbox was asked for something that cannot be. */
export class SandboxError extends UsherError {
  declare readonly code: SandboxErrorCode;
  static of(code: SandboxErrorCode, message: string): SandboxError {
    return new SandboxError(code, message);
  }
}
