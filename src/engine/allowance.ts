import { USUAL_BUDGET, type ActionBudget } from '../plugin/bot.ts';
import type { LaneState } from './lane-state.ts';

const MINUTE_MS = 60_000;

/** The most actions that a rule may decide for one event. */
export const mostAnEvent = (budget: ActionBudget = USUAL_BUDGET): number => budget.perEvent;

/**
 * How many actions one rule may still decide in one place: so many an event, and so many a minute of event time, which
 * may all come at once. Kept with the lane's state and counted by the events' own time: a replay refuses the same.
 */
export class Allowance {
  readonly #state: LaneState;
  readonly #namespace: string;
  readonly #budget: ActionBudget;
  #leftOfEvent: number;
  #leftOfMinute: number;
  #taken = 0;
  #refused = 0;

  constructor(state: LaneState, namespace: string, budget: ActionBudget = USUAL_BUDGET) {
    this.#state = state;
    this.#namespace = namespace;
    this.#budget = budget;
    const { perEvent, perMinute } = budget;
    const spent = state.budgets.get(namespace);
    const refilled = spent ? (Math.max(0, state.now - spent.at) * perMinute) / MINUTE_MS : 0;
    this.#leftOfEvent = perEvent;
    this.#leftOfMinute = spent ? Math.min(perMinute, spent.left + refilled) : perMinute;
  }

  /** How many of so many wanted actions may be decided; they are taken. */
  take(wanted: number): number {
    const granted = Math.min(wanted, this.#leftOfEvent, Math.floor(this.#leftOfMinute));
    this.#leftOfEvent -= granted;
    this.#leftOfMinute -= granted;
    this.#taken += granted;
    this.#refused += wanted - granted;
    return granted;
  }

  /** Actions that were over the budget. */
  get refused(): number {
    return this.#refused;
  }

  /** Why, in words for a record. */
  get reason(): string {
    const { perEvent, perMinute } = this.#budget;
    const limit =
      this.#leftOfEvent < 1 ? `${perEvent} actions an event` : `${perMinute} actions a minute here`;
    const others = this.#refused > 1 ? `, and ${this.#refused - 1} more with it` : '';
    return `Over the rule's budget of ${limit}: it is not done${others}. See "budget" in the rule language.`;
  }

  /** Writes down what was taken; true when refusals are to be told, once a minute. */
  close(): boolean {
    const { budgets, now } = this.#state;
    const before = budgets.get(this.#namespace);
    if (this.#taken === 0 && this.#refused === 0) return false;
    const tell = this.#refused > 0 && now - (before?.toldAt ?? -Infinity) >= MINUTE_MS;
    const toldAt = tell ? now : before?.toldAt;
    const at = Math.max(now, before?.at ?? now);
    if (this.#taken > 0 || tell)
      budgets.set(this.#namespace, {
        left: this.#leftOfMinute,
        at,
        until: at + MINUTE_MS,
        ...(toldAt !== undefined && { toldAt }),
      });
    return tell;
  }
}
