/** The driver as it is on a disk whose syncs take long: each commit waits, and holds its thread as a sync does. */
import { openDatabase as open, type OpenDatabase } from '../../src/store/sqlite-driver.ts';

export { sqliteCode } from '../../src/store/sqlite-driver.ts';

const syncMs = Number(process.env.USHER_SYNC_MS);
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export const openDatabase: OpenDatabase = (path, options) => slowed(open(path, options), syncMs);

/** The connection with commits that take `ms` longer. */
export function slowed(db: ReturnType<OpenDatabase>, ms: number): ReturnType<OpenDatabase> {
  return {
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
  };
}
