import { expect, test } from 'vitest';
import { openDatabase, sqliteCode } from '../../src/store/sqlite-driver.ts';

test('opens a database without a warning, and leaves warnings to others as they were', async () => {
  const heard: string[] = [];
  const hear = (warning: Error) => void heard.push(warning.message);
  // oxlint-disable-next-line typescript/unbound-method -- compared, never called
  const before = process.emitWarning;
  process.on('warning', hear);
  const db = openDatabase(':memory:');
  // oxlint-disable-next-line typescript/unbound-method -- compared, never called
  expect(process.emitWarning).toBe(before);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  expect(heard).toEqual([]);
  expect(db.prepare('SELECT 1 AS one').get()).toMatchObject({ one: 1 });
  db.close();
});

test('tells SQLite’s primary code of what SQLite threw, and nothing of other errors', () => {
  const db = openDatabase(':memory:');
  db.exec('CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (1)');
  const thrown = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  expect(sqliteCode(thrown(() => db.exec('INSERT INTO t VALUES (1)')))).toBe(19);
  expect(sqliteCode(new Error('disk'))).toBeUndefined();
  expect(sqliteCode(undefined)).toBeUndefined();
  db.close();
});
