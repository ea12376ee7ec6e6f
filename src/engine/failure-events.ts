import type { RuleFailed, RuleQuarantined, UsherEvent } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import { describeError } from '../errors.ts';

/** What is journaled when a rule threw on an event, and when that put it in quarantine. */
export function failureEvents(
  { bot, rule }: { readonly bot: string; readonly rule: string },
  event: UsherEvent,
  error: unknown,
  quarantined: boolean,
  now: number,
): readonly UsherEvent[] {
  const common = {
    at: now,
    seenAt: now,
    source: 'daemon',
    bot,
    rule,
    ...(event.place && { place: event.place }),
  } as const;
  const reason = describeError(error);
  const failed = withId<RuleFailed>({ ...common, type: 'rule.failed', event: event.id, error: reason });
  if (!quarantined) return [failed];
  return [failed, withId<RuleQuarantined>({ ...common, type: 'rule.quarantined', reason })];
}
