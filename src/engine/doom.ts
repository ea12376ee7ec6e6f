import type { LaneState } from './lane-state.ts';

/** Long enough for an end to be told; after that a stream that is still there is looked at again. */
export const DOOMED_MS = 60_000;

/** Notes that an action of ours is about to end a stream, so that watches and bans send no second one. */
export const doom = (state: LaneState, streamId: string): void => {
  state.doomed.set(streamId, { until: state.time + DOOMED_MS });
};

export const isDoomed = (state: LaneState, streamId: string): boolean => {
  const leftMs = (state.doomed.get(streamId)?.until ?? 0) - state.time;
  // Longer than ever given: the clock has been set back since.
  return leftMs > 0 && leftMs <= DOOMED_MS;
};
