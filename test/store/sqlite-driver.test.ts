import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  expect(sqliteCode(new Error('database disk image is malformed'))).toBeUndefined();
  expect(sqliteCode(undefined)).toBeUndefined();
  db.close();
});

test('knows a damaged file whichever way it is met', () => {
  const folder = mkdtempSync(join(tmpdir(), 'usher-driver-'));
  const path = join(folder, 'a.db');
  const first = openDatabase(path);
  first.exec('CREATE TABLE t (x INTEGER PRIMARY KEY, body TEXT)');
  for (let n = 0; n < 200; n += 1) first.prepare('INSERT INTO t VALUES (?, ?)').run(n, 'x'.repeat(200));
  first.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096 * 5 + 1, 4096 * 5 + 200);
  const damaged = join(folder, 'b.db');
  writeFileSync(damaged, bytes);
  const db = openDatabase(damaged);
  const codeOf = (work: () => unknown): number | undefined => {
    try {
      work();
      return undefined;
    } catch (error) {
      return sqliteCode(error);
    }
  };
  const codes = [
    codeOf(() => db.prepare('SELECT * FROM t').all()),
    codeOf(() => db.prepare('SELECT sum(length(body)) FROM t').get()),
    codeOf(() => db.prepare("UPDATE t SET body = ''").run()),
    codeOf(() => db.exec("UPDATE t SET body = ''")),
  ];
  db.close();
  rmSync(folder, { recursive: true });
  expect(codes).toEqual([11, 11, 11, 11]);
});
