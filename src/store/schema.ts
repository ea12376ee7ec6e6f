import { renameSync, rmSync } from 'node:fs';
import { StoreError } from '../errors.ts';
import type { SqlDatabase } from './sqlite-driver.ts';

/**
 * The steps from an empty file to today's tables; a file's `user_version` says how many it has taken. A step that was
 * released never changes.
 *
 * What an append costs is pages, and most of them are pages of indexes. So `names` numbers lanes and event types,
 * `events.digest` stands for the id (see `id-digest.ts`), and instead of an index by lane each event names the one
 * before it in its lane (`prev`, 0 for none): an index would dirty a page per lane in every group.
 *
 * `inbox` holds the events that no lane has handled: not as a column, so that handling one does not rewrite its body,
 * and not as a comparison with the lane's position, so that an event that was dispatched late is never taken for
 * handled. The newest event of a lane is the newer of its newest in the inbox and the lane's position.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    lane INTEGER NOT NULL REFERENCES names (id),
    prev INTEGER NOT NULL,
    type INTEGER NOT NULL REFERENCES names (id),
    at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX events_type ON events (type, seq, at);

  CREATE TABLE inbox (seq INTEGER PRIMARY KEY);

  CREATE TABLE lanes (
    lane INTEGER PRIMARY KEY REFERENCES names (id),
    position INTEGER NOT NULL,
    wake_at INTEGER
  );
  CREATE TABLE lane_parts (
    lane INTEGER NOT NULL REFERENCES names (id),
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (lane, name)
  ) WITHOUT ROWID;

  CREATE TABLE actions (
    intent INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    lane INTEGER NOT NULL REFERENCES names (id),
    mode TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    marked_at INTEGER,
    settled_at INTEGER,
    outcome TEXT,
    detail TEXT,
    body TEXT NOT NULL
  );
  CREATE INDEX actions_open ON actions (intent) WHERE outcome IS NULL;

  CREATE TABLE probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);
  INSERT INTO probe VALUES (1, 0);
  `,
];

/** True when `migrate` has something to do. */
export const lacksSteps = (db: SqlDatabase, steps: readonly string[]): boolean =>
  schemaVersion(db) < steps.length;

/** Takes the steps that the file lacks, each in a transaction, with a copy of a used file beside it first. */
export function migrate(db: SqlDatabase, path: string, steps: readonly string[] = MIGRATIONS): void {
  const version = schemaVersion(db);
  if (version > steps.length) {
    throw new StoreError(
      `${path} was written by a newer usher (schema ${version}; this one knows ${steps.length}). ` +
        'Run the newer version, or restore the backup that it made beside the file.',
    );
  }
  if (version > 0 && version < steps.length) backUp(db, `${path}.backup-v${version}`);
  steps.slice(version).forEach((step, index) => {
    db.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${version + index + 1}; COMMIT;`);
  });
}

function schemaVersion(db: SqlDatabase): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number }; // SQLite's own answer
  return row.user_version;
}

/** A whole copy or none: an interrupted one is made again. */
function backUp(db: SqlDatabase, target: string): void {
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  db.exec(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
  renameSync(partial, target);
}
