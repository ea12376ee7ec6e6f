import type { RuleFailed, RuleQuarantined, UsherEvent } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import { describeError } from '../errors.ts';
import type { Bot } from '../plugin/bot.ts';
import { ruleIdentity } from './rule-identity.ts';

/** Of an error: enough to know it by, and nothing that fills a disk. */
const MOST_CHARACTERS = 2_000;

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
  const reason = describeError(error).slice(0, MOST_CHARACTERS);
  const failed = withId<RuleFailed>({ ...common, type: 'rule.failed', event: event.id, error: reason });
  if (!quarantined) return [failed];
  return [failed, withId<RuleQuarantined>({ ...common, type: 'rule.quarantined', reason })];
}

/** What is journaled at a start of rules that rest because the daemon died of them. */
export const restingEvents = (
  bots: readonly Bot[],
  resting: ReadonlySet<string>,
  now: number,
): readonly RuleQuarantined[] =>
  bots
    .flatMap(({ rules }) => rules)
    .filter(({ bot, id, fingerprint }) => resting.has(ruleIdentity({ bot, rule: id, fingerprint })))
    .map(({ bot, id }) =>
      withId<RuleQuarantined>({
        type: 'rule.quarantined',
        at: now,
        seenAt: now,
        source: 'daemon',
        bot,
        rule: id,
        reason:
          'It blocked the event loop until the watchdog ended the daemon, at several events. It rests until it is changed.',
      }),
    );
