import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sizeOf } from '../store/quick-check.ts';

/** True for a data directory that was used, and whose journal somebody has taken away since, with its note. */
export const journalIsGone = (folder: string): boolean =>
  sizeOf(join(folder, 'usher.db')) === 0 &&
  ['operator.json', 'operator.json.bak'].some((file) => existsSync(join(folder, file)));
