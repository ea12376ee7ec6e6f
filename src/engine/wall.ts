import type { UsherEvent } from '../domain/event.ts';
import type { Allowance } from './allowance.ts';
import type { EdgeRule, KeeperRule } from './edge-rule.ts';
import { NO_EVENT } from './no-event.ts';
import { SetAside } from './set-aside.ts';
import type { TurnServices } from './turn-services.ts';

type Rule = EdgeRule | KeeperRule;

/** The wall around each rule of a lane: who may have the event at hand, and what is told of those who misbehave at it. */
export class Wall {
  readonly #services: TurnServices;
  #event = NO_EVENT;
  /** Rules that the daemon died of at this event. */
  #aside: ReadonlySet<string> | undefined;

  constructor(services: TurnServices) {
    this.#services = services;
  }

  /** The event of the turn that begins; its id is that of the journal. */
  begin(event: UsherEvent): void {
    this.#event = event;
    const { setAside } = this.#services;
    // Looked up only where there is something: each event passes here.
    this.#aside = setAside.size === 0 ? undefined : setAside.get(event.id);
  }

  /** False for a rule that rests, and for one that the daemon died of at this event, which is told. */
  lets({ bot, bound, identity }: Rule): boolean {
    if (!this.#services.supervisor.ready(bound)) return false;
    if (this.#aside?.has(identity) !== true) return true;
    // No throw of the rule's: it does not bring it nearer to its quarantine.
    const error = new SetAside(this.#event.id);
    this.#services.failed({ bot: bot.name, rule: bound.id }, this.#event, error, false);
    return false;
  }

  failed({ bot, bound }: Rule, error: unknown): void {
    const quarantined = this.#services.supervisor.failed(bound);
    this.#services.failed({ bot: bot.name, rule: bound.id }, this.#event, error, quarantined);
  }

  /** Writes down what the rule took of its budget, and tells what was over it. */
  spent({ bot, bound }: Rule, allowance: Allowance): void {
    const tell = allowance.close();
    if (allowance.refused === 0) return;
    this.#services.overBudget({ bot: bot.name, rule: bound.id }, this.#event.place, allowance, tell);
  }
}
