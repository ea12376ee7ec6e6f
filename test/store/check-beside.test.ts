import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBeside } from '../../src/store/check-beside.ts';
import { openDatabase } from '../../src/store/sqlite-driver.ts';
import { buildWorker } from './built-worker.ts';
import { testClock } from './test-clock.ts';

let folder: string;
let path: string;
let clock: ReturnType<typeof testClock>;
let damage: string[];
let warnings: unknown[];
let stop: (() => Promise<void>) | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-check-'));
  path = join(folder, 'usher.db');
  clock = testClock();
  damage = [];
  warnings = [];
});
afterEach(async () => {
  await stop?.();
  rmSync(folder, { recursive: true });
});

const check = (file: URL): (() => Promise<void>) =>
  (stop = checkBeside({
    file,
    path,
    clock,
    log: { warn: (facts, message) => void warnings.push({ ...facts, message }) },
    damaged: (message) => void damage.push(message),
  }));
const later = (ms: number): void => clock.set(clock.now() + ms);
const eventually = { timeout: 15_000 };

/** A program in the place of the one that checks. */
function program(code: string): URL {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, `import { writeFileSync } from 'node:fs';\nconst path = process.argv[3];\n${code}`);
  return pathToFileURL(file);
}

test('a check that is stopped in the middle of SQLite ends at once, and says nothing', async () => {
  const busyForEver = program(
    `writeFileSync(path + '.pid', String(process.pid));
     writeFileSync(path + '.started', '');
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  );
  const end = check(busyForEver);
  later(10_000);
  await expect.poll(() => existsSync(`${path}.started`), eventually).toBe(true);
  await end();
  expect(() => process.kill(Number(readFileSync(`${path}.pid`, 'utf8')), 0)).toThrow(/ESRCH/);
  expect({ damage, warnings }).toEqual({ damage: [], warnings: [] });
});

describe('a check that could not be done is told, is no damage, and is done again a minute later:', () => {
  test.each([
    ['no such program', () => pathToFileURL(join(folder, 'none.mjs')), /Cannot find module/],
    ['a program that dies', () => program('process.exit(7);'), /Command failed/],
    ['one without a word', () => program(''), /JSON/],
    [
      'one that the disk refused',
      () => program('console.log(JSON.stringify({ refused: "disk I/O error", code: 10 }));'),
      /disk I\/O error/,
    ],
  ])('%s', async (_, file, reason) => {
    check(file());
    later(10_000);
    for (const times of [1, 2]) {
      await expect.poll(() => warnings.length, eventually).toBe(times);
      later(60_000);
    }
    expect(warnings[0]).toEqual({
      reason: expect.stringMatching(reason),
      message: `${path} could not be checked for damage; usher tries again in a minute`,
    });
    expect(damage).toEqual([]);
  });

  test('the real one, while another holds the file', async () => {
    const worker = await buildWorker();
    const holder = openDatabase(path);
    try {
      holder.exec('CREATE TABLE events (seq); BEGIN EXCLUSIVE;');
      check(worker.file);
      later(10_000);
      await expect.poll(() => warnings, eventually).toHaveLength(1);
      expect(warnings).toEqual([
        expect.objectContaining({ reason: expect.stringMatching(/holds a write lock.*database is locked/) }),
      ]);
      holder.exec('COMMIT');
      holder.close();
      writeFileSync(path, 'x'.repeat(5_000)); // by now it is broken, and looked at again
      later(60_000);
      await expect
        .poll(() => damage, eventually)
        .toEqual([expect.stringMatching(/is damaged .*usher doctor/)]);
      expect(warnings).toHaveLength(1);
    } finally {
      worker.remove();
    }
  });
});
