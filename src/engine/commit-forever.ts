import { describeError } from '../errors.ts';
import type { ActionId } from '../domain/ids.ts';
import type { Clock, LaneCommit, Lanes, Log } from './ports.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** What committing needs besides the store. */
export interface CommitPorts {
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopped: AbortSignal;
}

/**
 * Commits, and commits again until it is done: a lane's memory is ahead of the store by this one commit, so nothing may
 * come before it. Undefined when `stopped` first: then the store still has the state before, and the events undone.
 */
export async function commitForever(
  commit: LaneCommit,
  { lanes, clock, log, stopped }: CommitPorts,
): Promise<readonly ActionId[] | undefined> {
  for (let waitMs = FIRST_WAIT_MS; !stopped.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await lanes.commit(commit);
    } catch (error) {
      const data = { lane: commit.lane, error: describeError(error), waitMs };
      log.warn(data, 'A commit failed; it is tried again.');
    }
    await pause(waitMs, clock, stopped);
  }
  return undefined;
}

/** Resolves after a time, or when `stopped`, whichever is first. */
const pause = (waitMs: number, clock: Clock, stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      cancel();
      stopped.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(waitMs, done);
    stopped.addEventListener('abort', done);
  });
