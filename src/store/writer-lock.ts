import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describeError, StoreError } from '../errors.ts';
import { sqliteCode, type OpenDatabase } from './sqlite-driver.ts';

const BUSY = 5;

/**
 * Makes this process the only writer of the file at `path`; the result gives the right back. The lock is the operating
 * system's, held through an open transaction on an empty database beside the file: it ends with the process however
 * that ends, so nothing can be stale, and a process id that came round again deceives nobody. The note beside it only
 * names the holder to the one who is turned away.
 */
export function lockWriter(path: string, open: OpenDatabase): () => void {
  const note = `${path}.owner`;
  const lock = open(`${path}.lock`);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if (sqliteCode(error) !== BUSY) throw error;
    throw new StoreError(
      `${path} is in use by another usher (${holder(note)}). One data directory has one daemon: ` +
        'stop that one first, or give this one a `data` directory of its own.',
      error,
    );
  }
  writeFileSync(note, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`);
  return () => {
    rmSync(note, { force: true });
    lock.close();
  };
}

function holder(note: string): string {
  try {
    return readFileSync(note, 'utf8').trim();
  } catch (error) {
    return `it left no note: ${describeError(error)}`;
  }
}
