import type { PlaceView } from '../domain/place-view.ts';
import type { Mode } from '../plugin/bot.ts';
import type { LaneState } from './lane-state.ts';
import { LaneView } from './lane-view.ts';
import type { Proposer } from './proposal.ts';
import type { KnownPlace } from './records.ts';
import type { PlaceRules, RuleBook } from './rule-book.ts';

const NOWHERE: PlaceRules = { hearing: () => [], streaming: [], keepers: [], bots: [] };

/** The rules of one lane and the views that they get, made once for each book and each change of the place's facts. */
export class LaneRules {
  readonly book: RuleBook;
  readonly facts: KnownPlace | undefined;
  readonly rules: PlaceRules;
  readonly #state: LaneState;
  readonly #views = new Map<Proposer, Partial<Record<Mode, PlaceView>>>();

  constructor(book: RuleBook, state: LaneState) {
    this.book = book;
    this.facts = state.facts;
    this.#state = state;
    // Before any list has shown the place its id alone says whether it is in scope.
    this.rules = state.ref ? book.in(state.facts ?? { ...state.ref, alias: '', name: '' }) : NOWHERE;
  }

  view(bot: Proposer, mode: Mode): PlaceView {
    let views = this.#views.get(bot);
    if (views === undefined) {
      views = {};
      this.#views.set(bot, views);
    }
    views[mode] ??= new LaneView(this.#state, this.facts, { bot, mode });
    return views[mode];
  }

  /** False when a reload or a list made other rules of it. */
  fits(book: RuleBook): boolean {
    return this.book === book && this.facts === this.#state.facts;
  }
}
