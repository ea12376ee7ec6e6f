/** What was found where we looked, fading with time: a rate of events per second with its certainty. */
export interface Activity {
  /** Faded number of facts found. */
  found: number;
  /** Faded seconds looked at. */
  seconds: number;
}

/** How long a finding counts half. Long enough to tell a quiet room from a dead one, short enough for an evening. */
const HALF_LIFE_SECONDS = 1_200;

/**
 * How firmly a room without history is taken for an average one, in facts. Activity of rooms is wildly unequal, so an
 * average says little about one room: well below one.
 */
const PRIOR_FACTS = 0.3;

/** Adds one look at `seconds` of time that held `found` facts. */
export function learn(activity: Activity, found: number, seconds: number): void {
  const kept = 2 ** (-seconds / HALF_LIFE_SECONDS);
  activity.found = activity.found * kept + found;
  activity.seconds = activity.seconds * kept + seconds;
}

/** Facts per second to expect of it, given the average of all (the mean of a gamma posterior). */
export const expected = (activity: Activity, average: number): number =>
  (activity.found + PRIOR_FACTS) / (activity.seconds + PRIOR_FACTS / average);
