import type { ScheduleFired } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { PlaceFacts } from '../domain/place.ts';
import type { EdgeRule } from './edge-rule.ts';
import type { Clock } from './ports.ts';
import type { RuleBook } from './rule-book.ts';
import { scheduleTimes, type ScheduleTimes } from './schedule-times.ts';
import { LONGEST_SLEEP_MS } from './wakes.ts';

interface Armed {
  readonly edge: EdgeRule;
  readonly times: ScheduleTimes;
  next: number | null;
}

/** What schedules need of the engine. */
export interface SchedulePorts {
  readonly clock: Clock;
  places(): readonly PlaceFacts[];
  /** When a rule's schedule last fired in a place, by that place's own state; undefined when it never did. */
  firedAt(place: PlaceFacts, rule: EdgeRule): number | undefined;
  /** Journals the events; a due time is journaled once, however often it is fired. */
  fire(events: readonly ScheduleFired[]): void;
}

/** Fires `every` and cron schedules for each open place in scope, with one timer for all of them. */
export class Schedules {
  readonly #ports: SchedulePorts;
  #armed: readonly Armed[] = [];
  #cancel: (() => void) | undefined;

  constructor(ports: SchedulePorts) {
    this.#ports = ports;
  }

  /**
   * Takes over the schedules of a book. Due times that were missed while nobody was there come as one, the last of
   * them, in each place where the schedule has fired before.
   */
  start(book: RuleBook): void {
    const now = this.#ports.clock.now();
    this.#armed = book.scheduled.flatMap((edge) => {
      if (!edge.bound.schedule) return [];
      const times = scheduleTimes(edge.bound.schedule);
      return [{ edge, times, next: times.after(now) }];
    });
    this.#ports.fire(
      this.#armed.flatMap(({ edge, times }) => {
        const last = times.lastBy(now);
        if (last === null) return [];
        return this.#placesOf(edge)
          .filter((place) => (this.#ports.firedAt(place, edge) ?? Infinity) < last)
          .map((place) => this.#event(edge, place, last));
      }),
    );
    this.#arm();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    this.stop();
    const next = Math.min(...this.#armed.map((armed) => armed.next ?? Infinity));
    if (next === Infinity) return;
    const { clock } = this.#ports;
    const sleepMs = Math.min(LONGEST_SLEEP_MS, Math.max(0, next - clock.now()));
    this.#cancel = clock.after(sleepMs, () => this.#fire());
  }

  #fire(): void {
    const now = this.#ports.clock.now();
    const events: ScheduleFired[] = [];
    for (const armed of this.#armed) {
      if (armed.next === null || armed.next > now) continue;
      // A frozen process wakes up past several due times: the last one stands for them.
      const due = armed.times.lastBy(now) ?? armed.next;
      for (const place of this.#placesOf(armed.edge)) events.push(this.#event(armed.edge, place, due));
      armed.next = armed.times.after(now);
    }
    this.#arm();
    if (events.length > 0) this.#ports.fire(events);
  }

  #placesOf({ bot, bound }: EdgeRule): readonly PlaceFacts[] {
    return this.#ports.places().filter((place) => bot.scope.covers(place) && bound.scope.covers(place));
  }

  #event({ bot, bound }: EdgeRule, place: PlaceFacts, dueAt: number): ScheduleFired {
    return withId<ScheduleFired>({
      type: 'schedule.fired',
      at: dueAt,
      seenAt: this.#ports.clock.now(),
      source: 'clock',
      place: { kind: place.kind, id: place.id },
      bot: bot.name,
      rule: bound.id,
      dueAt,
    });
  }
}
