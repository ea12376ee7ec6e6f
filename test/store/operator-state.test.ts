import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ban } from '../../src/engine/ports.ts';
import { StoreError } from '../../src/errors.ts';
import { openOperatorState } from '../../src/store/operator-state.ts';
import { NOON } from './samples.ts';
import { testClock } from './test-clock.ts';

let folder: string;
let file: string;
let warnings: string[];
let clock: ReturnType<typeof testClock>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-operator-'));
  file = join(folder, 'operator.json');
  warnings = [];
  clock = testClock();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () =>
  openOperatorState({ folder, clock, log: { warn: (_, message) => void warnings.push(message) } });
const ban = (n: number, over: Partial<Ban> = {}): Ban => ({
  bot: 'house',
  member: `session:s${n}`,
  screenName: 'Mallory',
  reason: 'spam',
  until: NOON + 60_000,
  action: `a${n}`,
  ...over,
});
const onDisk = () => JSON.parse(readFileSync(file, 'utf8')) as { bans: Ban[] };

test('begins empty, in a folder that it makes', async () => {
  folder = join(folder, 'data');
  const state = await open();
  expect([state.bans(), state.timestampUnit(), state.callback()]).toEqual([[], undefined, undefined]);
  folder = join(folder, '..');
});

test('a ban is on the disk when it resolves, and there again after a restart', async () => {
  const state = await open();
  await state.ban(ban(1));
  expect(onDisk().bans).toEqual([ban(1)]);
  await state.lockTimestampUnit('ms');
  await state.rememberCallback('POST https://host:443/path');
  await state.close();
  const again = await open();
  expect(again.bans()).toEqual([ban(1)]);
  expect(again.timestampUnit()).toBe('ms');
  expect(again.callback()).toBe('POST https://host:443/path');
});

test('bans at once are all kept, the same action once, and share writes', async () => {
  const state = await open();
  await Promise.all([1, 2, 3, 2, 1].map((n) => state.ban(ban(n))));
  expect(onDisk().bans.map(({ action }) => action)).toEqual(['a1', 'a2', 'a3']);
});

test('an expired ban no longer counts and leaves the file with the next write', async () => {
  const state = await open();
  await state.ban(ban(1));
  clock.set(NOON + 60_000);
  expect(state.bans()).toEqual([]);
  await state.ban(ban(2, { until: NOON + 120_000 }));
  expect(onDisk().bans.map(({ action }) => action)).toEqual(['a2']);
});

for (const [what, damage] of [
  ['cut off', (text: string) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
  ['of another shape', () => '{"bans": [{"member": "Mallory"}]}'],
] as const) {
  test(`a file that is ${what} is replaced by its last good copy, with a warning`, async () => {
    const state = await open();
    await state.ban(ban(1));
    await state.close();
    const damaged = damage(readFileSync(file, 'utf8'));
    writeFileSync(file, damaged);
    const again = await open();
    expect(again.bans()).toEqual([ban(1)]);
    expect(onDisk().bans).toEqual([ban(1)]);
    expect(warnings).toEqual([expect.stringMatching(/damaged/)]);
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(damaged);
  });
}

test('a file that is missing is replaced by its last good copy, with a warning', async () => {
  const state = await open();
  await state.ban(ban(1));
  await state.close();
  rmSync(file);
  const again = await open();
  expect(again.bans()).toEqual([ban(1)]);
  expect(onDisk().bans).toEqual([ban(1)]);
  expect(warnings).toEqual([expect.stringMatching(/was missing: its last good copy/)]);
});

test('refuses to start when the file is missing and its copy is damaged', async () => {
  writeFileSync(`${file}.bak`, 'garbage');
  await expect(open()).rejects.toThrow(/is missing, and its copy .* is damaged .*Put the file back/);
  expect(existsSync(file)).toBe(false);
});

test('refuses to start when file and copy are both damaged, and says what to do', async () => {
  writeFileSync(file, 'garbage');
  await expect(open()).rejects.toThrow(StoreError);
  await expect(open()).rejects.toThrow(/Correct the file by hand/);
  writeFileSync(`${file}.bak`, 'garbage too');
  await expect(open()).rejects.toThrow(StoreError);
  expect(readFileSync(file, 'utf8')).toBe('garbage');
});

test('a write that fails is told, keeps the ban in mind, and is tried again by itself', async () => {
  const state = await open();
  await mkdir(`${file}.bak`); // nothing can be renamed over a directory
  await expect(state.ban(ban(1))).rejects.toThrow(/cannot be written/);
  expect(state.readiness.reason()).toMatch(/cannot be written/);
  expect(state.bans()).toEqual([ban(1)]);
  expect(existsSync(file)).toBe(false);
  await rmdir(`${file}.bak`);
  clock.set(NOON + 5_000);
  await state.close();
  expect(state.readiness.reason()).toBeUndefined();
  expect(onDisk().bans).toEqual([ban(1)]);
});

test('is laid out for people, and for its owner only', async () => {
  const state = await open();
  await state.ban(ban(1));
  expect(readFileSync(file, 'utf8')).toContain('\n  "bans": [\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
