import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../errors.ts';
import type { Log } from './log.ts';

/** Rights of anybody but the owner. */
const OTHERS = 0o077;
const OURS = /^(usher\.db|operator\.json)/;

/**
 * What the daemon keeps holds what people said: the folder is made for its owner alone, and files of ours that others
 * may read, from before or from a copy put back, are closed. A folder that was there is the operator's: it is only told.
 */
export async function keepPrivate(folder: string, log: Pick<Log, 'warn'>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return; // rights are lists there, which modes do not show
  if (((await stat(folder)).mode & OTHERS) !== 0)
    log.warn({ folder }, 'other users may look into the data folder: chmod 700 keeps them out');
  const entries = await readdir(folder, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile() && OURS.test(entry.name))) {
    const path = join(folder, name);
    try {
      if (((await stat(path)).mode & OTHERS) !== 0) await chmod(path, 0o600);
    } catch (error) {
      log.warn(
        { path, error: describeError(error) },
        'other users may read this file: chmod 600 keeps them out',
      );
    }
  }
}
