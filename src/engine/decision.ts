import { actionId } from '../domain/action-id.ts';
import { GUARANTEES, type Action, type ActionDraft, type ActionType } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { EventId } from '../domain/ids.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { Mode } from '../plugin/bot.ts';
import type { LaneState } from './lane-state.ts';
import { mergeProposals } from './merge-proposals.ts';
import { doom } from './doom.ts';
import { applyCensor, applyMute, applyStrike, type Applied } from './own-state.ts';
import type { ActionRecord } from './ports.ts';
import type { Proposal, Proposer } from './proposal.ts';
import { whyRefused } from './why-refused.ts';

/** A ladder's step may strike again; past this depth it is a ladder that never ends. */
const MOST_STEPS = 8;

/** Done with the commit of the decision itself: nobody outside is asked. */
const OWN_STATE: ReadonlySet<ActionType> = new Set<ActionType>([
  'member.strike',
  'member.censor',
  'member.mute',
  'log.write',
]);

/** How a proposal is made, beside its draft. */
export interface Origin {
  readonly bot: Proposer;
  readonly rule: string;
  readonly mode: Mode;
  readonly mayDo?: ReadonlySet<ActionType>;
  readonly standing?: boolean;
  /** Why it is refused; judged like any other when absent. */
  readonly refusal?: string;
}

/** What a decision needs of its lane. */
export interface DecisionContext {
  readonly state: LaneState;
  readonly event: UsherEvent;
  readonly catchUpMs: number;
  readonly quietBefore: number;
  view(bot: Proposer, mode: Mode): PlaceView;
  /** A ladder's step threw. */
  failed(origin: Pick<Proposal, 'bot' | 'rule'>, error: unknown): void;
}

/**
 * The actions for one event: proposals are signed as they come, then judged, merged, and applied where they concern our
 * own state. Ids depend on bot, rule, causing events and order alone, so that deciding twice decides the same.
 */
export class Decision {
  readonly #context: DecisionContext;
  readonly #ordinals = new Map<string, number>();
  #proposals: Proposal[] = [];

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  /** Signs a draft. Its reasons are those it names and the event at hand; a standing order names its own. */
  propose(origin: Origin, draft: ActionDraft): Proposal {
    const { bot, rule, mode, mayDo, standing = false, refusal } = origin;
    const because = this.#reasons(draft, standing);
    const place = `${bot.name}/${rule}`;
    const ordinal = this.#ordinals.get(place) ?? 0;
    this.#ordinals.set(place, ordinal + 1);
    const id = actionId({ bot: bot.name, rule, because, ordinal });
    const proposal: Proposal = {
      id,
      bot,
      rule,
      mode,
      draft,
      because,
      standing,
      ...(mayDo && { mayDo }),
      ...(refusal !== undefined && { refusal }),
    };
    this.#proposals.push(proposal);
    return proposal;
  }

  /** Streams that an enforcing rule proposed to end, before anything is judged. */
  ending(): readonly string[] {
    return this.#proposals.flatMap(({ mode, draft, refusal }) =>
      mode === 'enforce' && refusal === undefined && draft.type === 'stream.terminate'
        ? [draft.streamId]
        : [],
    );
  }

  #reasons(draft: ActionDraft, standing: boolean): readonly EventId[] {
    const named = draft.because.map(journaledId);
    if (standing && named.length > 0) return named;
    return [...new Set([...named, this.#context.event.id])];
  }

  /** Judges, merges and applies everything that was proposed. */
  settle(): readonly ActionRecord[] {
    const { state, event } = this.#context;
    const records: ActionRecord[] = [];
    const details = new Map<Proposal, string>();
    const judged = new Set<Proposal>();
    const applied = new Set<Proposal>();
    const judge = (): void => {
      const allowed = this.#proposals.filter((proposal) => {
        if (judged.has(proposal)) return true;
        judged.add(proposal);
        const detail = proposal.refusal ?? whyRefused(proposal, event, state, this.#context);
        if (detail === undefined) return true;
        records.push(this.#record(proposal, { outcome: 'refused', detail }));
        return false;
      });
      this.#proposals = [...mergeProposals(allowed, applied)];
      // Merging may have cut a proposal down: what is left of it was judged with the whole.
      for (const proposal of this.#proposals) judged.add(proposal);
    };
    judge();
    // Strikes first, then what they lead to: a step may censor, and censoring ends streams.
    for (const type of ['member.strike', 'member.censor', 'member.mute'] as const) {
      for (let steps = 0; steps < MOST_STEPS; steps += 1) {
        const open = this.#proposals.filter(
          (proposal) => proposal.draft.type === type && !applied.has(proposal),
        );
        if (open.length === 0) break;
        for (const proposal of open) {
          applied.add(proposal);
          const { detail, drafts } = this.#apply(proposal);
          details.set(proposal, detail);
          const { bot, rule, mode } = proposal;
          for (const draft of drafts)
            this.propose({ bot, rule, mode, standing: type === 'member.censor' }, draft);
        }
        judge();
      }
    }
    return [...records, ...this.#proposals.map((proposal) => this.#settled(proposal, details.get(proposal)))];
  }

  #apply(proposal: Proposal): Applied {
    const { state, event } = this.#context;
    const { draft } = proposal;
    if (draft.type === 'member.censor') return applyCensor(state, { ...proposal, draft });
    if (draft.type === 'member.mute') return applyMute(state, { ...proposal, draft });
    if (draft.type !== 'member.strike') return { detail: '', drafts: [] };
    try {
      const room = this.#context.view(proposal.bot, proposal.mode);
      const applied = applyStrike(state, { ...proposal, draft }, event, room);
      return applied ?? { detail: `there is no ladder "${draft.ladder}"`, drafts: [] };
    } catch (error) {
      this.#context.failed(proposal, error);
      return { detail: `counted; the step of "${draft.ladder}" threw`, drafts: [] };
    }
  }

  #settled(proposal: Proposal, detail = ''): ActionRecord {
    if (proposal.mode === 'shadow') return this.#record(proposal, { outcome: 'shadowed', detail });
    const { draft } = proposal;
    if (draft.type === 'stream.terminate') doom(this.#context.state, draft.streamId);
    return this.#record(proposal, OWN_STATE.has(draft.type) ? { outcome: 'performed', detail } : undefined);
  }

  #record(proposal: Proposal, settled?: NonNullable<ActionRecord['settled']>): ActionRecord {
    const { id, bot, rule, mode, draft, because } = proposal;
    const action: Action = {
      ...draft,
      id,
      rule,
      because,
      bot: bot.name,
      as: bot.as,
      guarantee: GUARANTEES[draft.type],
      decidedAt: this.#context.event.at,
    };
    return { action, lane: this.#context.state.lane, mode, ...(settled && { settled }) };
  }
}

const DERIVED = 'publishers.changed ';

/** What is derived in the lane is in no journal; its id names its cause, which is. */
const journaledId = (id: EventId): EventId => (id.startsWith(DERIVED) ? id.slice(DERIVED.length) : id);
