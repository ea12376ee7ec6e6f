import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isBelow } from './below.ts';

/** A list of words longer than this is no list of words. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The list files that bots may name. */
export interface ListFiles {
  /** The text of a list; throws with the reason where there is none, or where no list may be. */
  readonly read: (path: string) => string;
  /** Whether a list may be there, be there one or not: such a place is worth watching. */
  readonly mayHold: (path: string) => boolean;
}

/**
 * Lists lie beside the bots or below the folder that holds the bots' folder, links followed, and are plain files that
 * are not hidden: a bot names what it moderates by, never what else the machine keeps.
 */
export function listFiles(bots: readonly string[]): ListFiles {
  const roots = bots.map((where) => {
    const path = resolve(where);
    return dirname(isFolder(path) ? path : dirname(path));
  });
  const fault = (path: string): string | undefined => {
    if (!roots.some((root) => isBelow(root, path))) return `it lies outside of ${roots.join(', ')}`;
    return basename(path).startsWith('.') ? 'hidden files are no lists' : undefined;
  };
  const realFault = (path: string): string | undefined => {
    const real = realpathSync(path);
    if (!roots.some((root) => isBelow(realpathSync(root), real))) return 'it is a link that leads elsewhere';
    if (basename(real).startsWith('.')) return 'it is a link to a hidden file';
    const stats = statSync(real);
    if (!stats.isFile()) return 'it is no file';
    return stats.size > MOST_BYTES ? `it has ${stats.size} bytes, more than ${MOST_BYTES}` : undefined;
  };
  return {
    read(path) {
      const problem = fault(resolve(path)) ?? realFault(path);
      if (problem !== undefined) throw new Error(problem);
      return readFileSync(path, 'utf8');
    },
    mayHold: (path) => fault(resolve(path)) === undefined && !isFolder(path),
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
