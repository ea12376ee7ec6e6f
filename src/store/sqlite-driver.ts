import { createRequire } from 'node:module';

/** The values that we bind and read; booleans are 0 and 1. */
export type SqlValue = string | number | null;

/** The part of a prepared statement that we use, the same in both libraries. */
export interface SqlStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): unknown[];
}

/** The part of a SQLite connection that we use, the same in both libraries. */
export interface SqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  close(): void;
}

/** How a connection is opened; tests put faults between. */
export type OpenDatabase = (path: string, options?: { readonly readOnly?: boolean }) => SqlDatabase;

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => SqlDatabase;
}

/**
 * Node's own SQLite where this Node has it, else `@photostructure/sqlite`: the same interface as a package with
 * binaries. Only the one that is used gets loaded. Two traps of the package: it has no way to end a
 * statement, so that a closed connection keeps its files open until its statements are collected or its thread ends;
 * and a connection that only its statements remember is collected, and closed with that.
 */
export const openDatabase: OpenDatabase = (path, options) => {
  const { DatabaseSync } = nodeSqlite() ?? packagedSqlite();
  return new DatabaseSync(path, { readOnly: options?.readOnly ?? false });
};

const packagedSqlite = (): SqliteModule =>
  createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule; // its published types say the same

/** Loads `node:sqlite` without the one warning that it prints; every other warning passes. */
function nodeSqlite(): SqliteModule | undefined {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was; called with its own `this`
  const { emitWarning } = process;
  process.emitWarning = ((...args: Parameters<typeof emitWarning>): void => {
    if (!String(args[0]).startsWith('SQLite is an experimental feature')) emitWarning.apply(process, args);
  }) as typeof emitWarning; // all its overloads, passed through as they came
  try {
    // The types of Node 20 do not know this module; in newer ones it has this very shape.
    return (process.getBuiltinModule as (id: string) => unknown)('node:sqlite') as SqliteModule | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** SQLite's own fixed words for its codes: all that the package tells when `all` fails. */
const CODES_BY_MESSAGE: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
]);

/** SQLite's primary result code of a thrown error; undefined when SQLite did not throw it. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  const bySqlite = 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  return bySqlite ? CODES_BY_MESSAGE.get(error.message) : undefined;
}
