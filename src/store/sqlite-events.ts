import { idDigest } from './id-digest.ts';
import { newestOfLanes } from './newest-of-lanes.ts';
import type { SqlDatabase } from './sqlite-driver.ts';
import { sqliteEventReads, type EventReads } from './sqlite-event-reads.ts';
import type { Names } from './sqlite-names.ts';
import type { EventRow, Tables } from './tables.ts';

/** The journal's tables. */
export interface EventTables extends EventReads, Pick<Tables, 'append'> {
  /** Its position, or null where the id was there before. */
  insert(event: EventRow): number | null;
  handled(seq: number): void;
  /** Of the newest event; 0 before the first. */
  position(): number;
  /** After a rollback: positions that were given in it are given again. */
  forget(): void;
}

export function sqliteEvents(db: SqlDatabase, names: Names): EventTables {
  const insertEvent = db.prepare(
    'INSERT INTO events (seq, digest, lane, prev, type, at, seen_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (digest) DO NOTHING',
  );
  const insertInbox = db.prepare('INSERT INTO inbox (seq) VALUES (?)');
  const deleteInbox = db.prepare('DELETE FROM inbox WHERE seq = ?');
  const newest = db.prepare('SELECT max(seq) AS seq FROM events');
  let last: number | undefined;

  const position = (): number => {
    last ??= (newest.get() as { seq: number | null }).seq ?? 0; // the one column of an aggregate: always one row
    return last;
  };
  const newestOf = newestOfLanes(db);
  const insert = ([laneName, id, type, at, seenAt, body]: EventRow): number | null => {
    const seq = position() + 1;
    const lane = names.intern(laneName);
    const { changes } = insertEvent.run(
      seq,
      idDigest(id),
      lane,
      newestOf.of(lane),
      names.intern(type),
      at,
      seenAt,
      body,
    );
    if (Number(changes) === 0) return null;
    insertInbox.run(seq);
    last = seq;
    newestOf.set(lane, seq);
    return seq;
  };
  return {
    ...sqliteEventReads(db, names),
    insert,
    append: (events) => events.map(insert),
    handled: (seq) => void deleteInbox.run(seq),
    position,
    forget: () => {
      last = undefined;
      newestOf.forget();
    },
  };
}
