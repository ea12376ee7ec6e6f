import { EVENT_TYPES, type EventType, type UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import { placeOfKey } from '../domain/place.ts';
import type { IdentityIndex } from './identity-index.ts';
import { Inbox, type InboxLimits } from './inbox.ts';
import type { Count, Intake, Journal, Journaled } from './ports.ts';

const LABELS = Object.fromEntries(EVENT_TYPES.map((type) => [type, { type }])) as Readonly<
  Record<EventType, { readonly type: EventType }>
>; // fromEntries widens; EVENT_TYPES has them all

interface Placed {
  readonly lane: LaneKey;
  readonly event: UsherEvent;
}

/** The way in: finds the lane, journals, hands over. */
export class EngineIntake implements Intake {
  readonly #journal: Journal;
  readonly #index: IdentityIndex;
  readonly #publish: (event: UsherEvent) => void;
  readonly #deliver: (rows: readonly Journaled[]) => void;
  readonly #count: Count;
  readonly #inbox: Inbox;

  constructor(of: {
    readonly journal: Journal;
    readonly index: IdentityIndex;
    readonly bus: { readonly event: (event: UsherEvent) => void };
    readonly deliver: (rows: readonly Journaled[]) => void;
    readonly count: Count;
    readonly limits: InboxLimits;
  }) {
    this.#journal = of.journal;
    this.#index = of.index;
    this.#publish = of.bus.event;
    this.#deliver = of.deliver;
    this.#count = of.count;
    this.#inbox = new Inbox(of.limits);
  }

  /** Events that no lane has handled yet. */
  get undone(): number {
    return this.#inbox.events;
  }

  /** From 0, when nothing waits, to 1, when nothing more is taken. */
  get load(): number {
    return this.#inbox.load;
  }

  async accept(events: readonly UsherEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    const rows = this.#placed(events);
    this.#inbox.check(rows);
    return this.#append(rows);
  }

  /** Like `accept` for what the engine itself found out, which no sender could send again: without a limit. */
  async admit(events: readonly UsherEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    return this.#append(this.#placed(events));
  }

  #placed(events: readonly UsherEvent[]): readonly Placed[] {
    return events.map((event) => {
      const lane = this.#index.place(event);
      return { lane, event: event.place === undefined ? inPlace(event, lane) : event };
    });
  }

  async #append(rows: readonly Placed[]): Promise<readonly ('new' | 'duplicate')[]> {
    if (rows.length === 0) return [];
    this.#inbox.take(rows);
    let answers: readonly (Journaled | 'duplicate')[];
    try {
      answers = await this.#journal.append(rows);
    } catch (error) {
      this.#inbox.release(rows);
      throw error;
    }
    const fresh: Journaled[] = [];
    const known: Placed[] = [];
    const said = answers.map((answer, index) => {
      if (answer === 'duplicate') {
        const row = rows[index];
        if (row) known.push(row);
        return answer;
      }
      fresh.push(answer);
      this.#count('events', LABELS[answer.event.type]);
      this.#publish(answer.event);
      return 'new';
    });
    if (known.length > 0) this.#inbox.release(known);
    this.#deliver(fresh);
    return said;
  }

  /** Takes in rows that are in the journal already: settled by the outbox, or undone since before a restart. */
  resume(rows: readonly Journaled[]): void {
    this.#inbox.take(rows);
    for (const { event } of rows) this.#index.place(event);
    this.#deliver(rows);
  }

  /** They have been handled. */
  done(rows: readonly Journaled[]): void {
    this.#inbox.release(rows);
  }
}

/** A notification of a playlist names its stream only: rules, and whoever reads the journal, are to see where that is. */
function inPlace(event: UsherEvent, lane: LaneKey): UsherEvent {
  const place = placeOfKey(lane);
  return place === undefined ? event : { ...event, place };
}
