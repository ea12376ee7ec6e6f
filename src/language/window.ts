import type { EventId, UsherEvent } from '../domain/event.ts';
import type { Memory, Plain } from '../domain/memory.ts';

/** One event in a window: when, which, whose, and the message if it is one. */
export interface Seen {
  readonly at: number;
  readonly id: EventId;
  readonly who: string;
  readonly messageId: string;
}

const seenOf = (value: Plain | undefined): Seen[] =>
  Array.isArray(value)
    ? value.flatMap((entry: Plain) => {
        if (!Array.isArray(entry)) return [];
        const [at, id, who, messageId]: readonly Plain[] = entry;
        return typeof at === 'number' && typeof id === 'string'
          ? [
              {
                at,
                id,
                who: typeof who === 'string' ? who : '',
                messageId: typeof messageId === 'string' ? messageId : '',
              },
            ]
          : [];
      })
    : [];

/**
 * Notes an event and returns what the window holds then, oldest first. Time is the events' own, so a backlog trips
 * nothing and order does not matter; no more than `keep` entries are remembered (with `distinct` one for each member).
 */
export function noteInWindow(
  remember: Memory,
  key: string,
  event: UsherEvent,
  note: {
    readonly who: string;
    readonly withinMs: number;
    readonly keep: number;
    readonly distinct: boolean;
  },
): readonly Seen[] {
  const seen: Seen = {
    at: event.at,
    id: event.type === 'publishers.changed' ? event.cause : event.id,
    who: note.who,
    messageId: event.type === 'message.posted' ? event.messageId : '',
  };
  const before = seenOf(remember.get(key)).filter(
    (one) => one.id !== seen.id && !(note.distinct && one.who === seen.who && one.at <= seen.at),
  );
  const superseded = note.distinct && before.some((one) => one.who === seen.who);
  const all = (superseded ? before : [...before, seen]).sort((a, b) => a.at - b.at);
  const newest = all.at(-1)?.at ?? seen.at;
  const kept = all.filter(({ at }) => at > newest - note.withinMs).slice(-note.keep);
  remember.set(
    key,
    kept.map(({ at, id, who, messageId }) => [at, id, who, messageId]),
    { forMs: note.withinMs },
  );
  return within(kept, seen.at, note.withinMs);
}

/** What a window holds at a time, oldest first; changes nothing. */
export const lookIntoWindow = (
  remember: Memory,
  key: string,
  at: number,
  withinMs: number,
): readonly Seen[] => within(seenOf(remember.get(key)), at, withinMs);

const within = (seen: readonly Seen[], until: number, ms: number): readonly Seen[] =>
  seen.filter(({ at }) => at > until - ms && at <= until);
