import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeError } from '../errors.ts';
import { explainFailure } from './explain-failure.ts';
import { openReached, refuseOlder } from './reached.ts';
import { quickCheck, sizeOf } from './quick-check.ts';
import { lacksSteps, MIGRATIONS, migrate } from './schema.ts';
import { sqliteActions } from './sqlite-actions.ts';
import { openDatabase, sqliteCode, type OpenDatabase, type SqlDatabase } from './sqlite-driver.ts';
import { sqliteEvents } from './sqlite-events.ts';
import { sqliteLanes } from './sqlite-lanes.ts';
import { sqliteNames } from './sqlite-names.ts';
import { sqliteRetention } from './sqlite-retention.ts';
import { WRITES, type GroupOutcome, type Job, type JobFailure, type Tables } from './tables.ts';
import { lockWriter } from './writer-lock.ts';

/** The thread's half of the store: the one connection that writes, synchronous. */
export interface Kernel {
  /**
   * Does the jobs in order, all writes in one transaction, reads after it. Answers for as many as fitted in the time
   * that a group may take: the rest goes into the next group.
   */
  run(jobs: readonly Job[]): GroupOutcome;
  close(): void;
}

/** How large a file is checked before it is opened; and seams for tests: another way to open, other steps, another time. */
export interface KernelOptions {
  /** Bytes; a larger one is left to be checked beside. */
  readonly checkedFirst?: number;
  readonly open?: OpenDatabase;
  readonly migrations?: readonly string[];
  readonly elapsed?: () => number;
}

/** How long one group may write before it commits, in ms: what a waiting append waits at most for its neighbours. */
const GROUP_MS = 50;

const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 2000;
  PRAGMA cache_size = -32000;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA journal_size_limit = 67108864;
`;

/** Takes the writer's lock, checks the file, brings its schema up to date. Throws `StoreError` with what to do. */
export function openKernel(path: string, options: KernelOptions = {}): Kernel {
  const open = options.open ?? openDatabase;
  const elapsed = options.elapsed ?? (() => performance.now());
  const steps = options.migrations ?? MIGRATIONS;
  const undo: (() => void)[] = [];
  const close = (): void => {
    for (const step of undo.splice(0).toReversed()) step();
  };
  try {
    mkdirSync(dirname(path), { recursive: true });
    undo.push(lockWriter(path, open));
    refuseOlder(path, open);
    const checkedFirst = sizeOf(path) <= (options.checkedFirst ?? Infinity);
    const db = open(path);
    undo.push(() => db.close());
    db.exec(PRAGMAS);
    if (checkedFirst || lacksSteps(db, steps)) quickCheck(db, path);
    migrate(db, path, steps);
    undo.push(() => emptyLog(db));
    return { run: runner(db, path, elapsed, undo), close };
  } catch (error) {
    close();
    throw explainFailure(path, error);
  }
}

/** Leaves the file whole without its log, which the closed connection may keep open for a while. */
function emptyLog(db: SqlDatabase): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // On a full or failing disk the log stays, as durable as before: the next start reads it.
    if (sqliteCode(error) === undefined) throw error;
  }
}

function runner(db: SqlDatabase, path: string, elapsed: () => number, undo: (() => void)[]): Kernel['run'] {
  const names = sqliteNames(db);
  const events = sqliteEvents(db, names);
  const reached = openReached(path, events.position());
  undo.push(() => reached.close());
  const actions = sqliteActions(db, names, events);
  const probe = db.prepare('UPDATE probe SET count = count + 1');
  const tables: Tables = {
    ...events,
    ...sqliteLanes(db, names, events, actions),
    ...actions,
    ...sqliteRetention(db, actions),
    probe: () => void probe.run(),
  };
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  const commit = (): void => {
    end.run();
    reached.note(events.position());
  };

  const call = ([name, ...args]: Job): unknown =>
    (tables[name] as (...args: readonly unknown[]) => unknown)(...args); // Job ties each name to its own arguments

  const rollback = (): void => {
    names.forget();
    events.forget();
    try {
      db.exec('ROLLBACK');
    } catch (error) {
      // A full disk makes SQLite roll back by itself, and then there is no transaction left to end.
      if (sqliteCode(error) !== 1) throw error;
    }
  };

  const alone = (job: Job): unknown => {
    if (!WRITES.has(job[0])) return call(job);
    begin.run();
    const value = call(job);
    commit();
    return value;
  };

  const eachAlone = (jobs: readonly Job[]): GroupOutcome => {
    const failures: JobFailure[] = [];
    const values = jobs.map((job, index) => {
      try {
        return alone(job);
      } catch (error) {
        if (WRITES.has(job[0])) rollback();
        failures.push({ index, message: describeError(error), code: sqliteCode(error) });
        return null;
      }
    });
    return { values, failures };
  };

  /** The writes of a group in one transaction; undefined when one of them, or the commit, failed. */
  const together = (jobs: readonly Job[]): unknown[] | undefined => {
    const values: unknown[] = [];
    const started = elapsed();
    try {
      begin.run();
      for (const job of jobs) {
        values.push(WRITES.has(job[0]) ? call(job) : null);
        if (elapsed() - started > GROUP_MS) break;
      }
      commit();
      return values;
    } catch {
      // Which job failed, and why, is found out by doing each alone: it then answers for itself.
      rollback();
      return undefined;
    }
  };

  return (jobs) => {
    const writes = jobs.filter(([name]) => WRITES.has(name)).length;
    const values = writes > 0 ? together(jobs) : undefined;
    if (!values) return eachAlone(jobs);
    if (writes === jobs.length) return { values, failures: [] };
    return readAfter(jobs, values);
  };

  /** The reads of a group whose writes are durable by now. */
  function readAfter(jobs: readonly Job[], values: unknown[]): GroupOutcome {
    const failures: JobFailure[] = [];
    jobs.slice(0, values.length).forEach((job, index) => {
      if (WRITES.has(job[0])) return;
      const read = eachAlone([job]);
      values[index] = read.values[0];
      failures.push(...read.failures.map((failure) => ({ ...failure, index })));
    });
    return { values, failures };
  }
}
