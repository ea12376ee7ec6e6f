import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CheckAnswer } from './store-worker.ts';

/**
 * Checks the database at `path` in a process of its own, reading beside the writer; `found` hears what is wrong with it.
 * The result ends the check at once. SQLite takes minutes for a large file and hears nothing until it is done: a process
 * can be killed meanwhile, and a thread that is cut off inside SQLite would take this process with it.
 */
export function checkBeside(file: URL, path: string, found: (message: string) => void): () => Promise<void> {
  let stopped = false;
  let ended: () => void;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const child = execFile(
    process.execPath,
    [...process.execArgv, fileURLToPath(file), '--check', path],
    (error, said) => {
      ended();
      if (stopped) return;
      if (error) found(`${path} could not be checked: ${error.message}`);
      else {
        const { refused } = JSON.parse(said) as CheckAnswer; // our own program's
        if (refused !== undefined) found(refused);
      }
    },
  );
  return () => {
    stopped = true;
    child.kill('SIGKILL');
    return end;
  };
}
