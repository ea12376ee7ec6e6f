import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../errors.ts';
import { openKernel, type Kernel } from './kernel.ts';
import { CHECKED_FIRST_BYTES, quickCheckAt } from './quick-check.ts';
import type { GroupOutcome, Job } from './tables.ts';

/** What the store asks of its thread. */
export type ToWorker = { readonly jobs: readonly Job[] } | { readonly close: true };

/** What the thread answers: once whether it opened, then the outcomes of each group in order. */
export type FromWorker = { readonly opened: true } | { readonly refused: string } | GroupOutcome;

/** The thread's whole life: open, answer groups in order, close when told. It ends when the port is closed. */
function serve(port: NonNullable<typeof parentPort>, path: string): void {
  const say = (message: FromWorker): void => port.postMessage(message);
  let kernel: Kernel;
  try {
    kernel = openKernel(path, { checkedFirst: CHECKED_FIRST_BYTES });
  } catch (error) {
    say({ refused: describeError(error) });
    return;
  }
  say({ opened: true });
  port.on('message', (message: ToWorker) => {
    if ('jobs' in message) {
      say(kernel.run(message.jobs));
      return;
    }
    kernel.close();
    port.close();
  });
}

/** The other thing that a thread is started for: one look at the whole file, and a word where it is broken. */
function check(port: NonNullable<typeof parentPort>, path: string): void {
  try {
    quickCheckAt(path);
  } catch (error) {
    port.postMessage({ refused: describeError(error) } satisfies FromWorker);
  }
}

if (parentPort) {
  // Given by `worker-thread.ts` and `check-beside.ts`.
  const given = workerData as { readonly path: string; readonly check?: boolean };
  (given.check ? check : serve)(parentPort, given.path);
}
