import type { PlaceView } from '../domain/place-view.ts';
import { HOLDS } from './evidence.ts';
import type { Condition } from './word.ts';

/** A condition that asks the room alone, and so can stand behind `while` too. */
export const roomCondition = (cost: number, holds: (room: PlaceView) => boolean): Condition => ({
  cost,
  holds,
  test: ({ room }) => (holds(room) ? HOLDS : undefined),
});
