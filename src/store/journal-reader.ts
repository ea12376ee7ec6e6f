import type { Journal } from '../engine/ports.ts';
import { explainFailure } from './explain-failure.ts';
import { readEvent } from './rows.ts';
import { openDatabase } from './sqlite-driver.ts';
import { sqliteEventReads } from './sqlite-event-reads.ts';
import { sqliteNames } from './sqlite-names.ts';

/** The journal for a process beside the daemon: reads what is durable, writes nothing, holds nobody up. */
export interface JournalReader extends Pick<Journal, 'read' | 'find'> {
  close(): void;
}

/** Throws `StoreError` when there is no journal at `path` or it cannot be read. */
export function openJournalReader(path: string): JournalReader {
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainFailure(path, error);
    }
  };
  return explained(() => {
    const db = openDatabase(path, { readOnly: true });
    try {
      db.exec('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON;');
      const reads = sqliteEventReads(db, sqliteNames(db));
      return {
        read: async (query) => explained(() => reads.read(query).map(readEvent)),
        async find(id) {
          const row = explained(() => reads.find(id));
          return row && readEvent(row);
        },
        close: () => db.close(),
      };
    } catch (error) {
      db.close();
      throw error;
    }
  });
}
