import { Worker } from 'node:worker_threads';
import { describeError } from '../errors.ts';
import type { FromWorker } from './store-worker.ts';

/**
 * Checks the database at `path` in a thread of its own, reading beside the writer; `found` hears what is wrong with it.
 * Resolves when the thread has ended: it cannot be cut short, and a process must not exit before.
 */
export function checkBeside(file: URL, path: string, found: (message: string) => void): Promise<void> {
  const worker = new Worker(file, { workerData: { path, check: true } });
  worker.on('message', (message: FromWorker) => {
    if ('refused' in message) found(message.refused);
  });
  worker.on('error', (error) => found(`${path} could not be checked: ${describeError(error)}`));
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.unref();
  return ended;
}
