import type { ActionType } from '../domain/action.ts';
import type { Proposal } from './proposal.ts';
import { strengthOf, targetOf } from './target-of.ts';

/** Deeds on our own state: shadow rules have a state of their own, so theirs are other targets. */
const OWN_STATE: ReadonlySet<ActionType> = new Set<ActionType>([
  'member.mute',
  'member.strike',
  'member.ban',
]);

/** Enforced before shadowed, then the stronger, then the earlier. */
const beats = (a: Proposal, b: Proposal): boolean =>
  a.mode !== b.mode ? a.mode === 'enforce' : strengthOf(a.draft) > strengthOf(b.draft);

/**
 * One proposal for each action and target, in order of the first; what was `applied` already is not beaten. Messages
 * that two rules hide are hidden once, even where each of them hides others too.
 */
export function mergeProposals(
  proposals: readonly Proposal[],
  applied: ReadonlySet<Proposal> = new Set(),
): readonly Proposal[] {
  if (proposals.length < 2) return proposals;
  const winners = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const { draft } = proposal;
    const space = OWN_STATE.has(draft.type) ? proposal.mode : '';
    const key = `${proposal.bot.name} ${space} ${draft.type} ${targetOf(draft)}`;
    const other = winners.get(key);
    if (!other || (!applied.has(other) && beats(proposal, other))) winners.set(key, proposal);
  }
  return hideOnce([...winners.values()]);
}

function hideOnce(proposals: readonly Proposal[]): readonly Proposal[] {
  const hides = proposals.filter((proposal) => proposal.draft.type === 'message.hide');
  if (hides.length < 2) return proposals;
  const hidden = new Set<string>();
  const kept = new Map<Proposal, Proposal>();
  for (const mode of ['enforce', 'shadow']) {
    for (const proposal of hides) {
      if (proposal.mode !== mode || proposal.draft.type !== 'message.hide') continue;
      const messageIds = proposal.draft.messageIds.filter((id) => !hidden.has(id));
      for (const id of messageIds) hidden.add(id);
      if (messageIds.length > 0)
        kept.set(proposal, { ...proposal, draft: { ...proposal.draft, messageIds } });
    }
  }
  return proposals.flatMap((proposal) => {
    if (proposal.draft.type !== 'message.hide') return [proposal];
    const left = kept.get(proposal);
    return left ? [left] : [];
  });
}
