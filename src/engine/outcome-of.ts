import type { ActionSettled } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { ActionRecord } from './ports.ts';

/** An outcome that the decision itself had, in the form of those that the outbox settles; it is in no journal. */
export function outcomeOf(
  { action }: ActionRecord,
  settled: NonNullable<ActionRecord['settled']>,
  now: number,
): ActionSettled {
  return withId<ActionSettled>({
    type: 'action.settled',
    at: action.decidedAt,
    seenAt: now,
    source: 'outcome',
    ...(action.place && { place: action.place }),
    action: action.id,
    actionType: action.type,
    bot: action.bot,
    rule: action.rule,
    outcome: settled.outcome,
    detail: settled.detail,
    result: {},
  });
}
