import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeError, StoreError } from '../errors.ts';

/** What a data directory consists of; locks, notes and earlier backups are no part of it. */
const FILES = ['usher.db', 'usher.db-wal', 'usher.db.reached', 'operator.json', 'operator.json.bak'];

/**
 * Copies the data in `folder`, as it is, into a dated folder beside it; gives that folder. A whole copy or none. Throws
 * `StoreError` when there is no room for it.
 */
export function backUp(folder: string, now: number): string {
  const name = `backup-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const target = join(folder, name);
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { mode: 0o700 });
    for (const file of FILES) {
      if (existsSync(join(folder, file)))
        copyFileSync(join(folder, file), join(partial, file), constants.COPYFILE_FICLONE);
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw new StoreError(
      `The data in ${folder} could not be copied to ${target} (${describeError(error)}), so nothing was changed. ` +
        'Make room for a second copy, or check the permissions, and try again.',
      error,
    );
  }
  return target;
}
