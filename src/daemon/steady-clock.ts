import type { Clock } from '../engine/ports.ts';

/** The machine's clock was set: by how many ms, forward or (negative) back. */
export type ClockWasSet = (byMs: number) => void;

/** The daemon's time, and what the machine's clock shows. */
export interface SteadyClock extends Clock {
  /** For what others stamp by their own clocks: the age of a notification. Jumps when somebody sets the clock. */
  wall(): number;
}

/** Less is a correction that no person need hear of. */
const TOLD_MS = 30_000;
/** A clock that was set back is met by going slower: after ten times what it lost, both show the same again. */
const SLOWER_PART = 0.1;

/**
 * A time that never goes back. Everything that waits or compares within the daemon uses it: were the clock set back by
 * an hour, polls, graces and pauses would else stand still for an hour. It follows forward at once, as after a sleep.
 */
export function createSteadyClock(machine: Clock, wasSet: ClockWasSet = () => undefined): SteadyClock {
  let wallBefore = machine.now();
  let monotonicBefore = machine.monotonic();
  let steady = wallBefore;

  const now = (): number => {
    const wall = machine.now();
    const monotonic = machine.monotonic();
    const passed = monotonic - monotonicBefore;
    const setBy = wall - wallBefore - passed;
    wallBefore = wall;
    monotonicBefore = monotonic;
    const slowly = steady + passed * (1 - SLOWER_PART);
    steady = Math.max(wall, slowly);
    if (Math.abs(setBy) >= TOLD_MS) wasSet(setBy);
    return steady;
  };

  return {
    now: () => Math.floor(now()),
    monotonic: () => machine.monotonic(),
    after: (delayMs, work) => machine.after(delayMs, work),
    wall: () => machine.now(),
  };
}
