import type { ActionDraft, ActionType, Speaker } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { MemberKey } from '../domain/member.ts';
import type { PlaceFacts } from '../domain/place.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { KeeperDefinition, RuleDefinition } from './definitions.ts';

/** `enforce` performs; `shadow` decides and shows, with state of its own that no enforcing rule sees. */
export type Mode = 'shadow' | 'enforce';

/** Where something acts. Globs were compiled; an event without a place is in no scope. */
export interface Scope {
  readonly covers: (place: PlaceFacts) => boolean;
  /** Stream tags that the event must, or must not, carry; absent means any. */
  readonly tags?: (tags: readonly string[]) => boolean;
}

/** How many actions a rule may decide in one place: an event, and a minute of event time. */
export interface ActionBudget {
  readonly perEvent: number;
  readonly perMinute: number;
}

/** What a rule may do unless its bot says otherwise: more than an honest rule does, and than a platform takes. */
export const USUAL_BUDGET: ActionBudget = { perEvent: 250, perMinute: 1_200 };

/** What a ladder's step may speak of. */
export interface StrikeContext {
  readonly event: UsherEvent;
  readonly room: PlaceView;
  readonly member: MemberKey;
  readonly screenName: string;
  readonly strikes: number;
  readonly reason: string;
  readonly rule: string;
}

/** Points per member and place that fade; the highest step that the points reach is taken at each strike. */
export interface Ladder {
  readonly name: string;
  readonly decay?: { readonly points: number; readonly everyMs: number };
  /** Ascending by `at`. */
  readonly steps: readonly {
    readonly at: number;
    readonly act: (context: StrikeContext) => readonly ActionDraft[];
  }[];
}

/** A definition bound to its place in a bot: options checked, scope compiled, mode and permission settled. */
export interface BoundRule {
  /** Unique in the bot. */
  readonly id: string;
  readonly bot: string;
  readonly mode: Mode;
  readonly scope: Scope;
  readonly definition: RuleDefinition | KeeperDefinition;
  /** Parsed by `definition.options`. */
  readonly options: unknown;
  /** What the definition may do and the operator grants. */
  readonly mayDo: ReadonlySet<ActionType>;
  /** True for an event that the rule is to pass over (`except`). */
  readonly except?: (event: UsherEvent, room: PlaceView) => boolean;
  readonly cooldown?: { readonly forMs: number; readonly per: 'member' | 'room' | 'rule' };
  /** `USUAL_BUDGET` when absent. */
  readonly budget?: ActionBudget;
  /** Ends the evaluation of the bot's later rules for this event when this one acted. */
  readonly stop: boolean;
  readonly schedule?: { readonly everyMs: number } | { readonly cron: string; readonly tz?: string };
  /** `bots/house.yaml:12:5`. */
  readonly from: string;
  /** Changes when anything about the rule changes; equal fingerprints keep state over a reload. */
  readonly fingerprint: string;
}

/** A bot file, checked and compiled: plain data and pure functions. */
export interface Bot {
  readonly name: string;
  readonly as: Speaker;
  readonly scope: Scope;
  /** In file order. */
  readonly rules: readonly BoundRule[];
  readonly ladders: ReadonlyMap<string, Ladder>;
  readonly notify: ReadonlyMap<string, { readonly webhook: string }>;
}
