import type { SqlDatabase } from '../../src/store/sqlite-driver.ts';

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** A connection as on a disk whose syncs take `ms`: each commit waits, and holds its thread as a sync does. */
export const slowed = (db: SqlDatabase, ms: number): SqlDatabase => ({
  exec: (sql) => db.exec(sql),
  close: () => db.close(),
  prepare(sql) {
    const statement = db.prepare(sql);
    if (sql !== 'COMMIT') return statement;
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run(...values) {
        Atomics.wait(sleeper, 0, 0, ms);
        return statement.run(...values);
      },
    };
  },
});
