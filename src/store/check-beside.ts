import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../engine/ports.ts';
import { describeError } from '../errors.ts';
import { isDamage } from './explain-failure.ts';
import type { Log } from './log.ts';
import type { CheckAnswer } from './store-worker.ts';

export interface CheckBesideParts {
  /** The program: `store-worker.ts`, built. */
  readonly file: URL;
  /** The database. */
  readonly path: string;
  readonly clock: Clock;
  /** Hears of a check that could not be done. */
  readonly log: Log;
  /** Hears, in words for people, that the file is broken. */
  readonly damaged: (message: string) => void;
}

/** A large file is checked when the daemon has started and has a core to spare, ms. */
const FIRST_AFTER_MS = 10_000;
/** What kept a check from being done may have passed by then, ms. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Checks the database soon in a process of its own, reading beside the writer, and again later where that could not be
 * done. The result ends the check at once. SQLite takes minutes for a large file and hears nothing until it is done: a
 * process can be killed meanwhile, and a thread that is cut off inside SQLite would take this process with it.
 */
export function checkBeside({ file, path, clock, log, damaged }: CheckBesideParts): () => Promise<void> {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    const { refused, code } = await askProgram(file, path, stopped.signal);
    if (refused === undefined || stopped.signal.aborted) return;
    if (isDamage(code)) {
      damaged(refused);
      return;
    }
    log.warn({ reason: refused }, `${path} could not be checked for damage; usher tries again in a minute`);
    plan(AGAIN_AFTER_MS);
  };
  let cancel = (): void => undefined;
  function plan(afterMs: number): void {
    cancel = clock.after(afterMs, () => {
      running = check();
    });
  }
  plan(FIRST_AFTER_MS);
  return async () => {
    cancel();
    stopped.abort();
    await running;
  };
}

/** What the program says of the file, or why there is no answer; resolves when its process has ended. */
async function askProgram(file: URL, path: string, stopped: AbortSignal): Promise<CheckAnswer> {
  try {
    const said = await new Promise<string>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [...process.execArgv, fileURLToPath(file), '--check', path],
        (error, stdout) => (error ? reject(error) : resolve(stdout)),
      );
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- one at a time: the next check's takes its place
      stopped.onabort = () => child.kill('SIGKILL');
    });
    return JSON.parse(said) as CheckAnswer; // our own program's
  } catch (error) {
    return { refused: describeError(error) };
  }
}
