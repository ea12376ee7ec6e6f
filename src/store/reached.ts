import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { StoreError } from '../errors.ts';
import type { OpenDatabase } from './sqlite-driver.ts';

/** Where the file beside the database at `path` is. */
export const reachedFile = (path: string): string => `${path}.reached`;

/** How far the journal had come, kept beside the database: it never says more than what is durable there. */
export interface Reached {
  /** Takes note of a position that has been committed. */
  note(position: number): void;
  close(): void;
}

/** One small write in place, so that a full disk has nothing to refuse. */
const LENGTH = 64;

/** The position that the file holds; undefined where there is none, or it cannot be understood. */
export function readReached(path: string): number | undefined {
  const file = reachedFile(path);
  if (!existsSync(file)) return undefined;
  const digits = /^\{"position":(\d+)\} *\n$/.exec(readFileSync(file, 'utf8'))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Opens the note for writing. It is written after each commit but synced only here: a killed process loses nothing of
 * it, and after a power cut it may say less than the database holds, never more.
 */
export function openReached(path: string, position: number): Reached {
  const file = reachedFile(path);
  const fd = openSync(file, existsSync(file) ? 'r+' : 'w', 0o600);
  let noted = -1;
  const note = (reached: number): void => {
    if (reached === noted) return;
    writeSync(fd, `${JSON.stringify({ position: reached }).padEnd(LENGTH - 1)}\n`, 0);
    noted = reached;
  };
  note(position);
  fsyncSync(fd);
  return {
    note(reached) {
      try {
        note(reached);
      } catch {
        // What it stands for is durable already: it says less than it could until the next commit writes it.
      }
    },
    close: () => closeSync(fd),
  };
}

/**
 * Throws when the database is gone, empty, or ends before the position that its journal had reached: an older copy, or
 * a log that lost its end. Looks without writing, so that nothing is touched then.
 */
export function refuseOlder(path: string, open: OpenDatabase): void {
  const reached = readReached(path) ?? 0;
  if (reached === 0) return;
  if (!existsSync(path) || statSync(path).size === 0) {
    throw new StoreError(
      `${path} is ${existsSync(path) ? 'empty' : 'missing'}, but its journal had come to position ${reached} ` +
        `(${reachedFile(path)} says so). Put the file back, or run \`usher doctor\` to begin anew: it says what that means.`,
    );
  }
  const position = positionIn(path, open);
  if (position >= reached) return;
  throw new StoreError(
    `${path} ends at position ${position}, but its journal had come to ${reached}: it is an older copy, or its log ` +
      '(`-wal`) lost its end. Deeds done since then would be done again, so nothing starts. Put the newer file back, ' +
      'or run `usher doctor`: it goes on from this one without doing them twice, and says what was lost.',
  );
}

/** Of the newest event; 0 where the file has no journal. */
function positionIn(path: string, open: OpenDatabase): number {
  const db = open(path, { readOnly: true });
  try {
    if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get()) return 0;
    const row = db.prepare('SELECT max(seq) AS seq FROM events').get() as { seq: number | null }; // an aggregate's one row
    return row.seq ?? 0;
  } finally {
    db.close();
  }
}
