import type { UsherEvent } from '../domain/event.ts';
import type { Journal } from '../engine/ports.ts';
import { redactText } from '../platform/index.ts';

/**
 * What an author's code threw may quote what it was given: it is written down, and so told by everybody, without
 * credentials and `secrets`, a list that may grow.
 */
export const redactedJournal = (journal: Journal, secrets: readonly string[]): Journal => {
  const clean = (event: UsherEvent): UsherEvent => {
    if (event.type === 'rule.failed') return { ...event, error: redactText(event.error, secrets) };
    if (event.type === 'rule.quarantined') return { ...event, reason: redactText(event.reason, secrets) };
    return event;
  };
  return {
    ...journal,
    append: (entries) => journal.append(entries.map(({ lane, event }) => ({ lane, event: clean(event) }))),
  };
};
