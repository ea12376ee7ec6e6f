import type { SqlDatabase } from './sqlite-driver.ts';

/** A table to be read in spite of damage, by its integer key. */
export interface DamagedTable<R> {
  readonly table: string;
  readonly key: string;
  readonly columns: string;
  /** All keys, as an index of the table still has them; undefined where none could be read to its end. */
  readonly known: ReadonlySet<number> | undefined;
  /** No key beyond this was ever given, as far as that is known from elsewhere. */
  readonly most: number;
  /** Takes a row over; false when what stands in it cannot be true. */
  readonly take: (row: R) => boolean;
}

/** What could not be read, ascending. With `exact` each of them was there, else some may never have been. */
export interface LostRows {
  readonly keys: readonly number[];
  readonly exact: boolean;
}

const PAGE = 500;

/**
 * Reads a table from both ends as far as that goes, and what is left between key by key: a damaged page hides the rows
 * that it held, and an inner one those below it, but not the others.
 */
export function readDamaged<R extends { readonly key: number }>(
  db: SqlDatabase,
  { table, key, columns, most, known, take }: DamagedTable<R>,
): LostRows {
  const seen = new Set<number>();
  const lost: number[] = [];
  const accept = (row: R): void => {
    if (seen.has(row.key)) return;
    seen.add(row.key);
    if (!take(row)) lost.push(row.key);
  };
  const select = `SELECT ${key} AS key, ${columns} FROM ${table}`;
  /** The last key before the first row that cannot be read, and whether there was such a row. */
  const walk = (after: '>' | '<', from: number): { readonly last: number; readonly broken: boolean } => {
    const page = attempt(() =>
      db.prepare(
        `${select} WHERE ${key} ${after} ? ORDER BY ${key} ${after === '>' ? 'ASC' : 'DESC'} LIMIT ?`,
      ),
    );
    let last = from;
    for (let size = PAGE; ;) {
      const rows = attempt(() => page?.all(last, size) as R[] | undefined); // the columns asked for
      if (rows === undefined && size > 1) {
        size = 1; // row by row up to the damage
        continue;
      }
      if (rows === undefined) return { last, broken: true };
      for (const row of rows) {
        if (after === '>' ? row.key <= last : row.key >= last) return { last, broken: true };
        accept(row);
        last = row.key;
      }
      if (rows.length < size) return { last, broken: false };
    }
  };

  const { last: low, broken } = walk('>', 0);
  const high = broken ? walk('<', Number.MAX_SAFE_INTEGER).last : low;
  const one = attempt(() => db.prepare(`${select} WHERE ${key} = ?`));
  for (const at of known ?? (broken ? between(low, Math.min(high, Math.max(most, low) + 1)) : [])) {
    if (seen.has(at)) continue;
    const row = attempt(() => one?.get(at) as R | undefined); // the columns asked for
    if (row?.key === at) accept(row);
    else lost.push(at);
  }
  return { keys: lost.toSorted((a, b) => a - b), exact: known !== undefined || !broken };
}

function* between(low: number, high: number): Generator<number> {
  for (let at = low + 1; at < high; at += 1) yield at;
}

/** Undefined where SQLite cannot give what it was asked for: a damaged page, or a value that no row of ours has. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const ofDriver = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_');
    if (!ofDriver) throw error;
    return undefined;
  }
}
