import { statSync } from 'node:fs';
import { explainFailure } from './explain-failure.ts';
import { openDatabase, type SqlDatabase } from './sqlite-driver.ts';

/** A file up to this size is checked before anything starts; a larger one while the daemon works already. */
export const CHECKED_FIRST_BYTES = 64 * 1024 * 1024;

/** Bytes of the database, 0 where there is none. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Throws `StoreError` with what to do when SQLite finds the structure of the file broken. */
export function quickCheck(db: SqlDatabase, path: string): void {
  const found = db.prepare('PRAGMA quick_check(5)').all() as { quick_check: string }[]; // SQLite's own answer
  const findings = found.map((row) => row.quick_check).filter((finding) => finding !== 'ok');
  if (findings.length > 0)
    throw explainFailure(path, Object.assign(new Error(findings.join('; ')), { errcode: 11 }));
}

/** As `quickCheck`, on a connection of its own that only reads. */
export function quickCheckAt(path: string): void {
  const db = openDatabase(path, { readOnly: true });
  try {
    db.exec('PRAGMA busy_timeout = 2000');
    quickCheck(db, path);
  } catch (error) {
    throw explainFailure(path, error);
  } finally {
    db.close();
  }
}
