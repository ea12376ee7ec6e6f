import type { Memory } from '../domain/memory.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { DecideContext } from '../plugin/definitions.ts';
import type { LaneState } from './lane-state.ts';
import { RuleMemory } from './rule-memory.ts';

/** What a rule gets beside the event; its memory is looked for only when it asks. */
export class Moment implements DecideContext<unknown> {
  readonly options: unknown;
  readonly room: PlaceView;
  readonly now: number;
  readonly #state: LaneState;
  readonly #namespace: string;

  constructor(options: unknown, room: PlaceView, state: LaneState, namespace: string) {
    this.options = options;
    this.room = room;
    this.now = state.now;
    this.#state = state;
    this.#namespace = namespace;
  }

  get remember(): Memory {
    return new RuleMemory(this.#state, this.#namespace);
  }
}
