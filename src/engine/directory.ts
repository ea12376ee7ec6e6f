import { placeKey, type PlaceFacts, type PlaceRef } from '../domain/place.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { LaneRunner } from './lane-runner.ts';
import type { LaneState } from './lane-state.ts';
import { LaneView } from './lane-view.ts';
import type { PlaceDirectory } from './ports.ts';

/** The projections in memory, for polls to compare with. Open places are never evicted, so none is missing. */
export class LaneDirectory implements PlaceDirectory {
  readonly #runner: Pick<LaneRunner, 'lanes'>;
  readonly #views = new WeakMap<LaneState, LaneView>();

  constructor(runner: Pick<LaneRunner, 'lanes'>) {
    this.#runner = runner;
  }

  places(): readonly PlaceFacts[] {
    const open: PlaceFacts[] = [];
    for (const { state } of this.#runner.lanes.values()) {
      const facts = state?.facts;
      if (facts?.open === true) open.push(facts);
    }
    return open;
  }

  view(place: PlaceRef): PlaceView | undefined {
    const state = this.#stateOf(place);
    if (!state) return undefined;
    let view = this.#views.get(state);
    if (!view?.shows(state.facts)) {
      view = new LaneView(state, state.facts);
      this.#views.set(state, view);
    }
    return view;
  }

  lastMessageId(place: PlaceRef): string | undefined {
    return this.#stateOf(place)?.messages.lastId;
  }

  waitingSince(place: PlaceRef): number | undefined {
    return this.#runner.lanes.get(placeKey(place))?.first?.event.seenAt;
  }

  seenAt(place: PlaceRef, id: string): number | undefined {
    const state = this.#stateOf(place);
    return (
      state?.members.get(id)?.seenAt ?? state?.streams.get(id)?.seenAt ?? state?.tombstones.get(id)?.seenAt
    );
  }

  #stateOf(place: PlaceRef): LaneState | undefined {
    return this.#runner.lanes.get(placeKey(place))?.state;
  }
}
