import { statSync } from 'node:fs';
import { explainFailure, isDamage } from './explain-failure.ts';
import { openDatabase, type SqlDatabase } from './sqlite-driver.ts';

/** A file up to this size is checked before anything starts; a larger one while the daemon works already. */
export const CHECKED_FIRST_BYTES = 64 * 1024 * 1024;

/** Bytes of the database, 0 where there is none. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * What SQLite finds broken in the file; empty where it is sound. Throws where it could not look: SQLite tells of a page
 * that the disk did not give as of one that is broken, and only by the code in its words are they told apart.
 */
export function findingsOf(
  db: SqlDatabase,
  check: 'quick_check(5)' | 'integrity_check(20)',
): readonly string[] {
  const rows = db.prepare(`PRAGMA ${check}`).all() as Readonly<Record<string, string>>[]; // SQLite's own answer
  const findings = rows.flatMap((row) => Object.values(row)).filter((finding) => finding !== 'ok');
  for (const finding of findings) {
    const code = /error code[ =](\d+)/.exec(finding)?.[1];
    if (code !== undefined && !isDamage(Number(code) & 0xff))
      throw Object.assign(new Error(finding), { errcode: Number(code) });
  }
  return findings;
}

/** Throws `StoreError` with what to do when SQLite finds the structure of the file broken. */
export function quickCheck(db: SqlDatabase, path: string): void {
  const findings = findingsOf(db, 'quick_check(5)');
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
