import type { EventId } from '../domain/event.ts';

/** Why a condition holds; its absence means that it does not. */
export interface Evidence {
  /** The text that was found, as it stood in the message. */
  readonly match?: string;
  /** Earlier events that are part of the reason. */
  readonly because?: readonly EventId[];
  /** Messages among them: what `hide: matched` hides. */
  readonly messageIds?: readonly string[];
  /** How many there were. */
  readonly count?: number;
}

/** True, and nothing to add. */
export const HOLDS: Evidence = {};

/** Both reasons in one; of single facts the first one stays. */
export function mergeEvidence(a: Evidence, b: Evidence): Evidence {
  if (a === HOLDS) return b;
  if (b === HOLDS) return a;
  return {
    ...b,
    ...a,
    ...((a.because ?? b.because) && {
      because: [...new Set([...(a.because ?? []), ...(b.because ?? [])])],
    }),
    ...((a.messageIds ?? b.messageIds) && {
      messageIds: [...new Set([...(a.messageIds ?? []), ...(b.messageIds ?? [])])],
    }),
  };
}
