import { EVENT_TYPES, type EventType, type UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import { placeOfKey } from '../domain/place.ts';
import { InboxFullError } from '../errors.ts';
import type { IdentityIndex } from './identity-index.ts';
import type { Count, Intake, Journal, Journaled } from './ports.ts';

const LABELS = Object.fromEntries(EVENT_TYPES.map((type) => [type, { type }])) as Readonly<
  Record<EventType, { readonly type: EventType }>
>; // fromEntries widens; EVENT_TYPES has them all

/** The way in, with its count of events that no lane has handled yet. */
export class EngineIntake implements Intake {
  readonly #journal: Journal;
  readonly #index: IdentityIndex;
  readonly #publish: (event: UsherEvent) => void;
  readonly #deliver: (rows: readonly Journaled[]) => void;
  readonly #count: Count;
  readonly #limit: number;
  #undone = 0;

  constructor(of: {
    readonly journal: Journal;
    readonly index: IdentityIndex;
    readonly bus: { readonly event: (event: UsherEvent) => void };
    readonly deliver: (rows: readonly Journaled[]) => void;
    readonly count: Count;
    readonly limit: number;
  }) {
    this.#journal = of.journal;
    this.#index = of.index;
    this.#publish = of.bus.event;
    this.#deliver = of.deliver;
    this.#count = of.count;
    this.#limit = of.limit;
  }

  get undone(): number {
    return this.#undone;
  }

  async accept(events: readonly UsherEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    if (this.#undone + events.length > this.#limit) throw new InboxFullError(this.#limit);
    return this.admit(events);
  }

  /** Like `accept` for what the engine itself found out, which no sender could send again: without a limit. */
  async admit(events: readonly UsherEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    if (events.length === 0) return [];
    this.#undone += events.length;
    const rows = events.map((event) => {
      const lane = this.#index.place(event);
      return { lane, event: event.place === undefined ? inPlace(event, lane) : event };
    });
    let answers: readonly (Journaled | 'duplicate')[];
    try {
      answers = await this.#journal.append(rows);
    } catch (error) {
      this.#undone -= events.length;
      throw error;
    }
    const fresh: Journaled[] = [];
    const said = answers.map((answer) => {
      if (answer === 'duplicate') return answer;
      fresh.push(answer);
      this.#count('events', LABELS[answer.event.type]);
      this.#publish(answer.event);
      return 'new';
    });
    this.#undone -= events.length - fresh.length;
    this.#deliver(fresh);
    return said;
  }

  /** Takes in rows that are in the journal already: settled by the outbox, or undone since before a restart. */
  resume(rows: readonly Journaled[]): void {
    this.#undone += rows.length;
    for (const { event } of rows) this.#index.place(event);
    this.#deliver(rows);
  }

  /** So many have been handled. */
  done(events: number): void {
    this.#undone -= events;
  }
}

/** A notification of a playlist names its stream only: rules, and whoever reads the journal, are to see where that is. */
function inPlace(event: UsherEvent, lane: LaneKey): UsherEvent {
  const place = placeOfKey(lane);
  return place === undefined ? event : { ...event, place };
}
