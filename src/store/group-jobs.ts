import { describeError, StoreError } from '../errors.ts';
import type { Executor } from './executor.ts';
import { WRITES, type GroupOutcome, type Job, type JobFailure, type Tables } from './tables.ts';

/** Calls a method of the tables on the thread that owns them. Rejects with `StoreError`. */
export type CallTables = <K extends keyof Tables>(
  name: K,
  ...args: Parameters<Tables[K]>
) => Promise<ReturnType<Tables[K]>>;

interface Waiting {
  readonly job: Job;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

/** Who hears how writing goes. */
export interface GroupReports {
  /** What a writing job came to: nothing, or why not. */
  wrote(failure: JobFailure | undefined): void;
  /** A whole group got no answer: the thread is gone, or SQLite is in no state to go on. */
  lost(message: string): void;
}

/** Jobs in one group at most: what one of them waits for the others. */
const MOST_JOBS = 1024;

/**
 * Groups jobs: all that arrive while one group runs are the next. The first one waits for nothing but the rest of this
 * turn of the event loop.
 */
export function groupJobs(
  executor: Executor,
  reports: GroupReports,
  errorOf: (failure: Omit<JobFailure, 'index'>) => StoreError,
): { readonly call: CallTables; readonly close: () => Promise<void> } {
  let queue: Waiting[] = [];
  let running = false;
  let closing: Promise<void> | undefined;
  let idle: (() => void) | undefined;

  const settle = (group: readonly Waiting[], { values, failures }: GroupOutcome): void => {
    const failed = new Map(failures.map((failure) => [failure.index, failure]));
    for (const [index, value] of values.entries()) {
      const waiting = group[index];
      if (!waiting) continue;
      const failure = failed.get(index);
      if (WRITES.has(waiting.job[0])) reports.wrote(failure);
      if (failure) waiting.reject(errorOf(failure));
      else waiting.resolve(value);
    }
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = queue.slice(0, MOST_JOBS);
      queue = queue.slice(group.length);
      try {
        const outcome = await executor.run(group.map(({ job }) => job));
        settle(group, outcome);
        queue.unshift(...group.slice(outcome.values.length));
      } catch (error) {
        const message = describeError(error);
        reports.lost(message);
        for (const { reject } of group) reject(errorOf({ message, code: undefined }));
      }
      // Those who were answered now ask for more: their next jobs belong into one group.
      await nextTurn();
    }
    running = false;
    idle?.();
  };

  const call: CallTables = (name, ...args) =>
    new Promise((resolve, reject) => {
      if (closing) {
        reject(new StoreError('The store is closed.'));
        return;
      }
      queue.push({
        job: [name, ...args] as unknown as Job, // name and args belong together by this very signature
        resolve: resolve as (value: unknown) => void, // and so does the value that the method returns
        reject,
      });
      if (running) return;
      running = true;
      void nextTurn().then(pump);
    });

  const finish = async (): Promise<void> => {
    if (running) {
      await new Promise<void>((resolve) => {
        idle = resolve;
      });
    }
    await executor.close();
  };
  return { call, close: () => (closing ??= finish()) };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
