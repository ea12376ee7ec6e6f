import type { JournalQuery } from '../engine/ports.ts';
import { idDigest } from './id-digest.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sqlite-driver.ts';
import type { Names } from './sqlite-names.ts';
import type { JournalRow, Tables } from './tables.ts';

/** The journal's reading half, which other processes may use beside the daemon. */
export type EventReads = Pick<Tables, 'undone' | 'read' | 'find'>;

const COLUMNS = 'SELECT events.seq, events.lane, events.body FROM events';

/**
 * The events of one lane from the newest on, each by the one after it; takes the lane twice, then where to end. The
 * inbox is small and stands first: left alone, SQLite looks for its newest from the end of all events.
 */
const LANE =
  'WITH RECURSIVE line (seq, prev) AS (' +
  '  SELECT seq, prev FROM events WHERE seq = max(' +
  '    coalesce((SELECT position FROM lanes WHERE lane = ?), 0),' +
  '    coalesce((SELECT inbox.seq FROM inbox CROSS JOIN events ON events.seq = inbox.seq' +
  '              WHERE lane = ? ORDER BY inbox.seq DESC LIMIT 1), 0))' +
  '  UNION ALL' +
  '  SELECT events.seq, events.prev FROM line JOIN events ON events.seq = line.prev WHERE line.prev > ?' +
  ') SELECT events.seq, events.lane, events.body FROM line CROSS JOIN events ON events.seq = line.seq';

export function sqliteEventReads(db: SqlDatabase, names: Names): EventReads {
  const statements = new Map<string, SqlStatement>();
  const prepared = (sql: string): SqlStatement => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const rows = (sql: string, values: readonly SqlValue[]): JournalRow[] => {
    const found = prepared(sql).all(...values) as { seq: number; lane: number; body: string }[]; // COLUMNS
    return found.map(({ seq, lane, body }) => ({ seq, lane: names.nameOf(lane), body }));
  };

  return {
    undone: (limit, afterSeq) =>
      rows(
        `${COLUMNS} WHERE events.seq IN (SELECT seq FROM inbox WHERE seq > ? ORDER BY seq LIMIT ?) ORDER BY events.seq`,
        [afterSeq, limit],
      ),
    find: (id) => rows(`${COLUMNS} WHERE digest = ?`, [idDigest(id)])[0],
    read(query) {
      const types = query.types?.map((type) => names.lookup(type)).filter((type) => type !== undefined);
      if (types?.length === 0) return [];
      const { sql, values } = conditions(query, types);
      const order = `ORDER BY events.seq ${query.backward ? 'DESC' : 'ASC'} LIMIT ?`;
      const limit = query.limit ?? -1;
      if (query.lane === undefined) return rows(`${COLUMNS} WHERE ${sql} ${order}`, [...values, limit]);
      const lane = names.lookup(query.lane);
      if (lane === undefined) return [];
      // The line comes newest first by itself: sorting it would walk to its end for the newest few.
      const sorted = query.backward ? 'LIMIT ?' : order;
      return rows(`${LANE} WHERE ${sql} ${sorted}`, [lane, lane, query.afterSeq ?? 0, ...values, limit]);
    },
  };
}

/** What holds of each row, apart from its lane. */
function conditions(
  query: JournalQuery,
  types: readonly number[] | undefined,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const parts = ['events.seq > ?'];
  const values: SqlValue[] = [query.afterSeq ?? 0];
  const add = (sql: string, ...bound: readonly SqlValue[]): void => {
    parts.push(sql);
    values.push(...bound);
  };
  if (query.beforeSeq !== undefined) add('events.seq < ?', query.beforeSeq);
  if (query.fromAt !== undefined) add('at >= ?', query.fromAt);
  if (query.toAt !== undefined) add('at <= ?', query.toAt);
  // `+` keeps SQLite from collecting and sorting all rows of several types where order of arrival finds them sooner.
  if (types?.length === 1) add('type = ?', ...types);
  else if (types) add(`+type IN (${types.map(() => '?').join(', ')})`, ...types);
  return { sql: parts.join(' AND '), values };
}
