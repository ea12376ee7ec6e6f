import type { Bus } from '../engine/bus.ts';

/** What was seen and done since the start, for people: printed when the daemon stops. */
export interface Tally {
  /** `12 events · 3 messages hidden · …` */
  lines(): readonly string[];
}

/** Counts by kind; a few dozen numbers, however long the daemon runs. */
export function createTally(bus: Bus): Tally {
  const events = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1);
  bus.events$.subscribe(({ type }) => add(events, type));
  bus.outcomes$.subscribe(({ actionType, outcome }) => add(outcomes, `${actionType} ${outcome}`));
  const told = (of: Map<string, number>): string =>
    [...of]
      .sort((a, b) => b[1] - a[1])
      .map(([name, times]) => `${times} ${name}`)
      .join(', ');
  return {
    lines: () => [
      `heard: ${told(new Map([...events].filter(([type]) => type !== 'action.settled' && type !== 'clock.ticked'))) || 'nothing'}`,
      `did:   ${told(outcomes) || 'nothing'}`,
    ],
  };
}
