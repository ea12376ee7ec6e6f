import type { Action } from '../../domain/action.ts';
import type { Clock, OperatorState } from '../../engine/ports.ts';
import { StoreError } from '../../errors.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { done } from '../fate.ts';

/** Recorded in the operator's state; the same action twice is one ban. It counts from when it is written. */
export const banMember = (
  action: Action<'member.ban'>,
  { operator, clock }: { readonly operator: Pick<OperatorState, 'ban'>; readonly clock: Clock },
): Deed => ({
  repeatable: true,
  about: `member:${action.member}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: false,
  async call() {
    const { bot, member, screenName, reason } = action;
    const until = clock.now() + action.forMs;
    try {
      await operator.ban({ bot, member, screenName, reason, until, action: action.id });
    } catch (error) {
      if (error instanceof StoreError) return { kind: 'again', reason: error.message, limited: false };
      throw error;
    }
    return done(`banned until ${new Date(until).toISOString()}`, { until: String(until) });
  },
});
