import type { Action } from '../domain/action.ts';

/** A message of the platform, by its own clock. */
export interface KnownMessage {
  readonly messageId: string;
  /** Ms since 1970. */
  readonly at: number;
}

/**
 * What the journal tells of an action, by the order of events and not by any clock. The daemon answers; reading back
 * starts from it.
 */
export interface ActionHistory {
  /** A message of its room that was there before it was decided, the newest known; undefined where none was. */
  messageBefore(action: Action): Promise<KnownMessage | undefined>;
  /** The stream that carries its `op:` tag, as far as notifications have told; undefined while none has. */
  streamOf(action: Action): Promise<string | undefined>;
}
