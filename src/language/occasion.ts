import type { EventId } from '../domain/event.ts';
import type { Evidence } from './evidence.ts';
import type { Moment } from './moment.ts';

/** What an action speaks of: the moment, why the rule acts, and in whose name. */
export interface Occasion {
  readonly moment: Moment;
  readonly evidence: Evidence;
  readonly bot: string;
  readonly rule: string;
  /** What people are told: the strike's reason inside a ladder, else the rule's `note`, else its id. */
  readonly reason: string;
  /** Points of the subject, those of this very decision included. */
  strikes(): number;
  /** All events that are the reason, the one at hand last; empty means the one at hand. */
  readonly because: readonly EventId[];
}
