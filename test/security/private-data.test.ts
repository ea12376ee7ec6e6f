import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/daemon/log.ts';
import { keepPrivate } from '../../src/daemon/private-data.ts';

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'usher-private-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const modeOf = async (...path: string[]): Promise<string> =>
  ((await stat(join(parent, ...path))).mode & 0o777).toString(8);
/** What it warned of. */
const keep = async (...path: string[]): Promise<readonly string[]> => {
  const lines: string[] = [];
  const log = createLog({ destination: { write: (line) => void lines.push(line) } });
  await keepPrivate(join(parent, ...path), log);
  return lines;
};

test('a new folder is its owner’s alone', async () => {
  expect(await keep('a', 'data')).toEqual([]);
  expect(await modeOf('a', 'data')).toBe('700');
});

test('files of ours that others may read are closed, others’ files are left alone, and an open folder is told', async () => {
  for (const name of ['usher.db', 'usher.db-wal', 'operator.json.bak', 'notes.txt']) {
    await writeFile(join(parent, name), '');
    await chmod(join(parent, name), 0o644);
  }
  await chmod(parent, 0o755);
  const warnings = await keep();
  for (const name of ['usher.db', 'usher.db-wal', 'operator.json.bak'])
    expect(await modeOf(name)).toBe('600');
  expect(await modeOf('notes.txt')).toBe('644');
  expect(await modeOf()).toBe('755');
  expect(warnings).toEqual([expect.stringContaining('chmod 700')]);
});
