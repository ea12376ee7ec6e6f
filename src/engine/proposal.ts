import type { ActionDraft, ActionType } from '../domain/action.ts';
import type { ActionId, EventId } from '../domain/ids.ts';
import type { Bot, Mode } from '../plugin/bot.ts';

/** What of a bot a proposal needs. */
export type Proposer = Pick<Bot, 'name' | 'as' | 'ladders'>;

/** A draft with its signature, before permission and merging: who proposes it, by which rule, for what. */
export interface Proposal {
  readonly id: ActionId;
  readonly bot: Proposer;
  readonly rule: string;
  readonly mode: Mode;
  readonly draft: ActionDraft;
  readonly because: readonly EventId[];
  /**
   * What the rule may do; absent for what the operator's own words lead to (a ladder's step, a mute, a ban), which
   * need no grant.
   */
  readonly mayDo?: ReadonlySet<ActionType>;
  /** Follows from an earlier verdict (a mute, a watch, a ban, a keeper): it is not judged again. */
  readonly standing: boolean;
  /** Why it must not be done, where that was known when it was proposed. */
  readonly refusal?: string;
}
