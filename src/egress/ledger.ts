import type { ActionSettled } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import { describeError } from '../errors.ts';
import type { Job, Settlement } from './job.ts';
import type { OutboxSettings } from './outbox-settings.ts';

type Members = Job['members'];

/** The durable side of the outbox: what it writes before a call and after it. Never rejects. */
export interface Ledger {
  mark(members: Members, attempt: number): Promise<'marked' | 'not written' | 'settled before'>;
  /** True when all outcomes are durable; those that are leave `members`. */
  settle(members: Members, settlement: Settlement): Promise<boolean>;
  /** Why the last write did not happen; undefined after one that did. */
  trouble(): string | undefined;
}

export function createLedger(
  settings: Pick<OutboxSettings, 'actions' | 'clock' | 'log' | 'onSettled'>,
): Ledger {
  const { actions, clock, log, onSettled } = settings;
  let trouble: string | undefined;

  const tell = ({ action: id, actionType, bot, rule, outcome, detail }: ActionSettled): void => {
    const told = { action: id, type: actionType, bot, rule, detail };
    if (outcome === 'performed') log.info(told, 'action performed');
    else log.warn({ ...told, outcome }, 'action not performed');
  };

  const settledEvent = ({ action }: Members[number], settlement: Settlement): ActionSettled => {
    const now = clock.now();
    return withId<ActionSettled>({
      type: 'action.settled',
      at: now,
      seenAt: now,
      source: 'outcome',
      causedBy: action.id,
      ...(action.place && { place: action.place }),
      action: action.id,
      actionType: action.type,
      bot: action.bot,
      rule: action.rule,
      ...settlement,
    });
  };

  /** An intent handed over twice meets its own outcome here. */
  const dropSettled = async (members: Members): Promise<void> => {
    for (const member of members.slice()) {
      const known = await actions.find(member.action.id);
      if (known?.outcome !== undefined) members.splice(members.indexOf(member), 1);
    }
  };

  return {
    async mark(members, attempt) {
      try {
        await Promise.all(members.map(({ action }) => actions.mark(action.id, attempt, clock.now())));
        trouble = undefined;
        return 'marked';
      } catch (error) {
        trouble = describeError(error);
        try {
          await dropSettled(members);
        } catch {
          return 'not written'; // the first failure is told; the same store has failed again
        }
        if (members.length > 0) return 'not written';
        trouble = undefined;
        return 'settled before';
      }
    },
    async settle(members, settlement) {
      await Promise.all(
        [...members].map(async (member) => {
          const event = settledEvent(member, settlement);
          try {
            const journaled = await actions.settle(event.action, event, member.lane);
            members.splice(members.indexOf(member), 1);
            trouble = undefined;
            tell(event);
            if (journaled !== 'duplicate') onSettled(journaled);
          } catch (error) {
            trouble = describeError(error);
          }
        }),
      );
      return members.length === 0;
    },
    trouble: () => trouble,
  };
}
