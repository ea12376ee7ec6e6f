import { Worker } from 'node:worker_threads';
import { StoreError } from '../errors.ts';
import type { Executor } from './executor.ts';
import type { FromWorker, ToWorker } from './store-worker.ts';
import type { GroupOutcome } from './tables.ts';

/**
 * Runs the jobs in a thread of their own, so that a slow disk holds up nothing else. Close it before the process
 * exits: a thread that is cut off inside SQLite takes the process down with an abort. The thread keeps the process
 * alive only while a group runs.
 */
export async function workerThread(file: URL, path: string): Promise<Executor> {
  const worker = new Worker(file, { workerData: { path } });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  // A list, and no race against a promise of the thread's end: that would keep something of every group for ever.
  const waiting: {
    readonly resolve: (outcome: GroupOutcome) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  let death: Error | undefined;

  await new Promise<void>((opened, refused) => {
    const die = (error: Error): void => {
      death ??= error;
      refused(death);
      for (const { reject } of waiting.splice(0)) reject(death);
    };
    worker.once('error', die);
    worker.once('exit', () => die(new StoreError('The thread of the store has ended; restart usher.')));
    worker.on('message', (message: FromWorker) => {
      if ('refused' in message) die(new StoreError(message.refused));
      else if ('opened' in message) opened();
      else {
        waiting.shift()?.resolve(message);
        if (waiting.length === 0) worker.unref();
      }
    });
  });
  worker.unref();

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (message: ToWorker): void => worker.postMessage(message);
  return {
    run: (jobs) =>
      new Promise((resolve, reject) => {
        if (death) {
          reject(death);
          return;
        }
        worker.ref();
        waiting.push({ resolve, reject });
        send({ jobs });
      }),
    async close() {
      worker.ref();
      send({ close: true });
      await ended;
    },
  };
}
