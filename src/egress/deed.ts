import type { Action } from '../domain/action.ts';
import type { Fate, ReadBack } from './fate.ts';

/** What a request of a deed is given. */
export interface Ask {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** Waits for a place in the request budget: before each request of a read-back, and each but the first of a call. */
  readonly token: () => Promise<void>;
}

/**
 * How one action is done. Errors that `call` and `readBack` throw are the client's, and are read by `fateOfError`.
 */
export interface Deed {
  /**
   * True iff sending it twice leaves what sending it once leaves (idempotent by result, or a second is refused with
   * 409): such a deed needs no GRACE. Others are sent again only once reading back has shown that nothing happened.
   */
  readonly repeatable: boolean;
  /** What it touches within its place. Deeds about the same thing never pass each other. */
  readonly about: string;
  /** Past this age it is not begun any more, in ms. */
  readonly freshForMs: number;
  /** False where it asks nothing of the platform: it takes no budget and survives refused credentials. */
  readonly asksPlatform: boolean;
  readonly call: (ask: Ask) => Promise<Fate>;
  readonly readBack?: (ask: Ask) => Promise<ReadBack>;
  /** Where reading back knows only what notifications told: those that came while nobody listened come again later. */
  readonly foundBy?: 'notification';
  /** Takes a further action into the same request, where there is room; before the first call only. */
  readonly join?: (action: Action) => boolean;
}

/** Makes the deed of an action; total over all action types. */
export type Perform = (action: Action) => Deed;

const MINUTE_MS = 60_000;

/** Words that come too late are worse than none; what protects people is worth doing for a day. */
export const FRESH_FOR_MS = {
  words: 10 * MINUTE_MS,
  notice: 60 * MINUTE_MS,
  deed: 24 * 60 * MINUTE_MS,
} as const;
