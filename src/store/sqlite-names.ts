import type { SqlDatabase } from './sqlite-driver.ts';

/** Numbers for the names of lanes and event types, kept in a table and remembered in memory. */
export interface Names {
  /** Gives the name a number when it has none yet. */
  intern(name: string): number;
  /** Undefined for a name that no row uses. */
  lookup(name: string): number | undefined;
  nameOf(id: number): string;
  /** After a rollback: numbers that were given in it do not count. */
  forget(): void;
}

/** Streams without a place make a lane each, so memory must not keep them all. */
const REMEMBERED = 50_000;

export function sqliteNames(db: SqlDatabase): Names {
  const selectId = db.prepare('SELECT id FROM names WHERE name = ?');
  const selectName = db.prepare('SELECT name FROM names WHERE id = ?');
  const insert = db.prepare('INSERT INTO names (name) VALUES (?) RETURNING id');
  const ids = new Map<string, number>();
  const known = new Map<number, string>();

  const forget = (): void => {
    ids.clear();
    known.clear();
  };
  const remember = (name: string, id: number): void => {
    if (ids.size >= REMEMBERED) forget();
    ids.set(name, id);
    known.set(id, name);
  };
  /** Both statements that give a row here return the one column. */
  const numberIn = (name: string, row: unknown): number => {
    const { id } = row as { id: number };
    remember(name, id);
    return id;
  };
  const lookup = (name: string): number | undefined => {
    const id = ids.get(name);
    if (id !== undefined) return id;
    const row = selectId.get(toColumn(name));
    return row === undefined ? undefined : numberIn(name, row);
  };
  return {
    intern: (name) => lookup(name) ?? numberIn(name, insert.get(toColumn(name))),
    lookup,
    nameOf(id) {
      const found = known.get(id);
      if (found !== undefined) return found;
      const row = selectName.get(id) as { name: string }; // the one column; rows refer to names that are there
      const name = fromColumn(row.name);
      remember(name, id);
      return name;
    },
    forget,
  };
}

/** SQLite's text ends at a NUL and knows no lone surrogates; a publisher's tags may put either into a lane's name. */
const UNSAFE = /[\0"\p{Surrogate}]/u;
const toColumn = (name: string): string => (UNSAFE.test(name) ? JSON.stringify(name) : name);
const fromColumn = (text: string): string => (text.startsWith('"') ? (JSON.parse(text) as string) : text); // only `toColumn` writes a quote there
