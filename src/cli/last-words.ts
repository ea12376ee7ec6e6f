import type { Log } from '../daemon/log.ts';
import { strayOfPlugin } from '../daemon/stray-of-plugin.ts';

/** How long the store may take to finish what it writes: cut off in the middle it would abort the process. */
const PATIENCE_MS = 3_000;

/**
 * A fault that nobody caught ends the process, unless it is a plugin's: nothing is known of its state any more, and what
 * is durable goes on at the next start; `abandon` sees to it that nothing more becomes durable. It is told in the log,
 * not as Node would, which prints all that hangs on an error.
 */
export function tellLastWords(log: Log, abandon: () => Promise<void>): void {
  let ending = false;
  process.on('uncaughtException', (error: unknown) => {
    const where = strayOfPlugin(error);
    if (where !== undefined) {
      log.error(
        { err: error, where },
        'a plugin threw in a timer or a promise of its own, where no event is: nothing is lost, and nothing can come of it. Rules answer at once, and wait with `clock.schedule`',
      );
      return;
    }
    if (ending) return;
    ending = true;
    log.fatal(
      { err: error },
      'usher ends by a fault of its own: start it again, what is written down goes on; please report this',
    );
    void endAfter(abandon, log);
  });
  // Reports of Node name all variables otherwise; older versions do not know the switch.
  if (process.report) Object.assign(process.report, { excludeEnv: true });
}

async function endAfter(abandon: () => Promise<void>, log: Log): Promise<void> {
  setTimeout(() => process.exit(1), PATIENCE_MS);
  try {
    await abandon();
  } catch (failure) {
    log.error({ err: failure }, 'the store did not close');
  }
  process.exit(1);
}
