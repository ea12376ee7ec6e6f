import { existsSync, renameSync, rmSync } from 'node:fs';
import { describeError } from '../errors.ts';
import { explainFailure, isDamage } from './explain-failure.ts';
import type { LostRows } from './read-damaged.ts';
import { openReached, readReached } from './reached.ts';
import { findingsOf, sizeOf } from './quick-check.ts';
import { salvage, type Salvage } from './salvage.ts';
import { openDatabase, sqliteCode, type SqlDatabase } from './sqlite-driver.ts';

/** What was found or done, in words: `lost` is gone for good, `todo` is for the operator. */
export interface Note {
  readonly kind: 'sound' | 'mended' | 'lost' | 'todo';
  readonly text: string;
}

/** What a database's treatment came to. */
export interface Treated {
  readonly notes: readonly Note[];
  /** Lanes whose state could not be read: it is lost, unless it is made again from the journal. */
  readonly lanes: readonly string[];
  /** True when a part of history is gone: what happened before now may have been answered by it. */
  readonly forgot: boolean;
}

/** SQLite's code for a statement that names what is not there. */
const NOT_OUR_TABLES = 1;

/**
 * Checks the database at `path` as a whole, and makes it one that the daemon starts with: what can be read of a damaged
 * one goes into a new file, and one that is older than what its journal had reached is gone on from. The caller holds
 * the writer's lock and has a copy. Throws `StoreError` when the disk refuses.
 */
export function treatDatabase(path: string, now: number): Treated {
  try {
    return treat(path, now);
  } catch (error) {
    throw explainFailure(path, error);
  }
}

function treat(path: string, now: number): Treated {
  const reached = readReached(path) ?? 0;
  if (sizeOf(path) === 0) return absent(path, reached);
  const findings = damageOf(path);
  const notes: Note[] = [];
  let lanes: readonly string[] = [];
  let forgot = false;
  if (findings.length === 0) notes.push({ kind: 'sound', text: `usher.db is sound: ${holdings(path)}` });
  else {
    notes.push({ kind: 'mended', text: `usher.db was damaged: ${shortened(findings)}` });
    const result = replaced(path, reached);
    notes.push(
      { kind: 'mended', text: `usher.db is made anew from what could be read: ${holdings(path)}` },
      ...lossesOf(result),
    );
    ({ lanes } = result);
    forgot = result.events.keys.length > 0 || result.actions.keys.length > 0;
    // An index may have told less than there was.
    forgot ||= !result.events.exact || !result.actions.exact;
  }
  const position = positionOf(path);
  if (position < reached) {
    forgot = true;
    const doubtful = doubtOpenActions(path, now);
    notes.push(
      {
        kind: 'lost',
        text:
          `The journal ends at position ${count(position)} but had come to ${count(reached)}: an older copy, or the end ` +
          `of its log is gone. ${count(reached - position)} events at least are forgotten, and what was decided for them.`,
      },
      {
        kind: 'mended',
        text: `${count(doubtful)} open actions of it are taken as tried: usher looks whether they were done before it does them.`,
      },
    );
  }
  openReached(path, position).close();
  return { notes, lanes, forgot };
}

function absent(path: string, reached: number): Treated {
  if (reached === 0)
    return { notes: [{ kind: 'sound', text: 'there is no journal yet' }], lanes: [], forgot: false };
  const what = existsSync(path) ? 'is empty' : 'is missing';
  removeDatabase(path);
  openReached(path, 0).close();
  return {
    notes: [
      {
        kind: 'lost',
        text: `usher.db ${what}, and its journal had come to position ${count(reached)}: all events, the state of all lanes and all actions are gone. usher begins anew.`,
      },
    ],
    lanes: [],
    forgot: true,
  };
}

/** What is wrong with the file. Throws what passes, as a lock or a failing disk does: nothing is mended for that. */
function damageOf(path: string): readonly string[] {
  const db = openDatabase(path, { readOnly: true });
  try {
    const findings = findingsOf(db, 'integrity_check(20)'); // tables against indexes too
    if (findings.length > 0) return findings;
    db.prepare('SELECT seq, digest FROM events LIMIT 1').all(); // throws where these are not usher's tables
    return [];
  } catch (error) {
    const code = sqliteCode(error);
    if (isDamage(code) || code === NOT_OUR_TABLES) return [describeError(error)];
    throw error;
  } finally {
    db.close();
  }
}

/** Puts a new database in place of the damaged one. A crash on the way leaves one or the other, and the copy. */
function replaced(path: string, reached: number): Salvage {
  const fresh = `${path}.new`;
  removeDatabase(fresh);
  const result = salvage(path, fresh, reached);
  removeDatabase(path, ['-wal', '-shm', '-journal']);
  renameSync(fresh, path);
  return result;
}

function removeDatabase(path: string, ends: readonly string[] = ['', '-wal', '-shm', '-journal']): void {
  for (const end of ends) rmSync(path + end, { force: true });
}

/** An intent without a mark would be sent at once, although a later file may have said that it was done. */
function doubtOpenActions(path: string, now: number): number {
  return using(path, (db) => {
    const { changes } = db
      .prepare(
        'UPDATE actions SET attempts = max(attempts, 1), marked_at = coalesce(marked_at, ?) WHERE outcome IS NULL',
      )
      .run(now);
    return Number(changes);
  });
}

const positionOf = (path: string): number =>
  using(path, (db) => (db.prepare('SELECT max(seq) AS n FROM events').get() as { n: number | null }).n ?? 0); // an aggregate's one row

function holdings(path: string): string {
  const counted = (db: SqlDatabase, what: string): string =>
    count((db.prepare(`SELECT count(*) AS n FROM ${what}`).get() as { n: number }).n); // an aggregate's one row
  return using(
    path,
    (db) =>
      `${counted(db, 'events')} events (${counted(db, 'inbox')} not handled yet), ${counted(db, 'lanes')} lanes, ` +
      `${counted(db, 'actions')} actions (${counted(db, 'actions WHERE outcome IS NULL')} open)`,
  );
}

function using<T>(path: string, work: (db: SqlDatabase) => T): T {
  const db = openDatabase(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function lossesOf({ events, types, actions, openActions, inboxGuessed }: Salvage): readonly Note[] {
  const notes: Note[] = [];
  const lost = (text: string): void => void notes.push({ kind: 'lost', text });
  if (events.keys.length > 0 || !events.exact) {
    const kinds = [...types].map(([type, number]) => `${count(number)} ${type}`).join(', ');
    lost(`${amount(events)} events${kinds ? ` (${kinds})` : ''}: positions ${ranges(events.keys)}`);
  }
  if (actions.keys.length > 0 || !actions.exact) {
    lost(`${amount(actions)} records of actions, numbers ${ranges(actions.keys)}`);
    if (openActions !== 0)
      lost(
        openActions === undefined
          ? 'OPEN ACTIONS MAY BE AMONG THEM: what they were to do may be undone. Look at the rooms.'
          : `${count(openActions)} OF THEM WERE OPEN: what they were to do may be undone. Look at the rooms.`,
      );
  }
  if (inboxGuessed)
    notes.push({
      kind: 'mended',
      text: 'which events had been handled could not be read: what came after each lane’s position is handled again.',
    });
  return notes;
}

const count = (n: number): string => n.toLocaleString('en');

const amount = ({ keys, exact }: LostRows): string => {
  if (exact) return count(keys.length);
  return keys.length === 0 ? 'perhaps some' : `about ${count(keys.length)}`;
};

/** `1 to 5, 9`, cut after the first few. */
function ranges(keys: readonly number[]): string {
  const found: [number, number][] = [];
  for (const key of keys) {
    const last = found.at(-1);
    if (last?.[1] === key - 1) last[1] = key;
    else found.push([key, key]);
  }
  const shown = found.slice(0, 8).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  if (found.length > shown.length) shown.push(`and ${count(found.length - shown.length)} more ranges`);
  return shown.length === 0 ? 'unknown' : shown.join(', ');
}

const shortened = (findings: readonly string[]): string => {
  const shown = findings.slice(0, 3).map((finding) => finding.replaceAll(/\s+/g, ' ').slice(0, 160));
  return findings.length > 3 ? `${shown.join('; ')}; and more` : shown.join('; ');
};
