import { isAbsolute, relative, sep } from 'node:path';

/** Whether an absolute path is the folder or lies below it, as the texts say: symbolic links are the caller's to follow. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
