import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { migrate } from './schema.ts';
import { openDatabase } from './sqlite-driver.ts';

const PAGE_BYTES = 4096;
/** Offsets in the header (SQLite's file format, 1.3): pages in the file, then the list of free ones. */
const PAGES_AT = 28;
const FREE_AT = 32;

/**
 * A file whose first page is broken hides all the others: it says where each table begins. Ours begin where they begin
 * in any new file of ours, so a copy with a new first page shows them again. `work` gets that copy; it is gone afterwards.
 */
export function withNewFirstPage<T>(from: string, near: string, work: (grafted: string) => T): T {
  const [model, grafted] = [`${near}.model`, `${near}.grafted`];
  try {
    const db = openDatabase(model);
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    migrate(db, model);
    db.close();
    const page = Buffer.alloc(PAGE_BYTES);
    read(model, page);
    copyFileSync(from, grafted);
    const pages = Math.max(1, Math.floor(statSync(grafted).size / PAGE_BYTES));
    page.writeUInt32BE(pages, PAGES_AT);
    page.fill(0, FREE_AT, FREE_AT + 8);
    const fd = openSync(grafted, 'r+');
    writeSync(fd, page, 0, PAGE_BYTES, 0);
    ftruncateSync(fd, pages * PAGE_BYTES);
    closeSync(fd);
    return work(grafted);
  } finally {
    for (const file of [model, grafted])
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  }
}

function read(file: string, into: Buffer): void {
  const fd = openSync(file, 'r');
  readSync(fd, into, 0, into.length, 0);
  closeSync(fd);
}
