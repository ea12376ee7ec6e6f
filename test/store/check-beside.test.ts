import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBeside } from '../../src/store/check-beside.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program in the place of the one that checks. */
function program(code: string): URL {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, code);
  return pathToFileURL(file);
}

test('a check that is stopped in the middle of SQLite ends at once, and says nothing', async () => {
  const started = join(folder, 'started');
  const busyForEver = program(
    `import { writeFileSync } from 'node:fs';
     writeFileSync(process.argv[3] + '.pid', String(process.pid));
     writeFileSync(process.argv[3], '');
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  );
  const found: string[] = [];
  const stop = checkBeside(busyForEver, started, (message) => found.push(message));
  await expect.poll(() => existsSync(started), { timeout: 15_000 }).toBe(true);
  await stop();
  expect(() => process.kill(Number(readFileSync(`${started}.pid`, 'utf8')), 0)).toThrow(/ESRCH/);
  expect(found).toEqual([]);
});
