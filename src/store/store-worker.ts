import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../errors.ts';
import { explainFailure } from './explain-failure.ts';
import { openKernel, type Kernel } from './kernel.ts';
import { CHECKED_FIRST_BYTES, quickCheckAt } from './quick-check.ts';
import { sqliteCode } from './sqlite-driver.ts';
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

/** What the file says when it is started as a program: nothing of a sound database. */
export interface CheckAnswer {
  readonly refused?: string;
  /** SQLite's, where it has one for this. */
  readonly code?: number | undefined;
}

/** One look at the whole file. */
function check(path: string): CheckAnswer {
  try {
    quickCheckAt(path);
    return {};
  } catch (error) {
    const { message, cause } = explainFailure(path, error);
    return { refused: message, code: sqliteCode(cause) };
  }
}

// A thread of `worker-thread.ts`, or a process of `check-beside.ts`.
if (parentPort) serve(parentPort, (workerData as { readonly path: string }).path);
else if (process.argv[2] === '--check') process.stdout.write(JSON.stringify(check(process.argv[3] ?? '')));
