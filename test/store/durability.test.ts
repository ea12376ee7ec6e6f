import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Journaled } from '../../src/engine/ports.ts';
import { StoreError } from '../../src/errors.ts';
import { openJournalReader } from '../../src/store/journal-reader.ts';
import type { KernelOptions } from '../../src/store/kernel.ts';
import { openStore } from '../../src/store/open-store.ts';
import { MIGRATIONS } from '../../src/store/schema.ts';
import { openDatabase } from '../../src/store/sqlite-driver.ts';
import type { Store } from '../../src/store/store.ts';
import { buildWorker } from './built-worker.ts';
import { LOBBY, NOON, reply, said, settled, STAGE } from './samples.ts';
import { testClock } from './test-clock.ts';

let folder: string;
let path: string;
let clock: ReturnType<typeof testClock>;
let stores: Store[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-durability-'));
  path = join(folder, 'usher.db');
  clock = testClock();
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true });
});

const open = async (kernel: KernelOptions = {}): Promise<Store> => {
  const store = await openStore({ path, clock, thread: 'same', kernel });
  stores.push(store);
  return store;
};
const append = (store: Store, ...numbers: number[]) =>
  store.journal.append(numbers.map((n) => ({ lane: LOBBY, event: said(n) })));
const numbers = async (store: Pick<Store['journal'], 'read'>) =>
  (await store.read({})).map(({ event }) => event.at - NOON);

test('everything is there again after a restart', async () => {
  const first = await open();
  const record = reply([said(1).id]);
  const [row] = await append(first, 1, 2);
  if (!row || row === 'duplicate') throw new Error('it is new');
  await first.lanes.commit({
    lane: LOBBY,
    handled: [row.seq],
    parts: { a: 1 },
    wakeAt: 7,
    actions: [record],
  });
  await first.actions.mark(record.action.id, 1, NOON);
  await first.close();
  const second = await open();
  expect(await second.journal.undone(10)).toMatchObject([{ event: said(2) }]);
  expect(await second.lanes.load(LOBBY)).toMatchObject({ position: row.seq, parts: { a: 1 }, wakeAt: 7 });
  expect(await second.actions.open()).toEqual([{ ...record, attempts: 1, markedAt: NOON }]);
  expect(await append(second, 1)).toEqual(['duplicate']);
});

test('a lane whose events were all handled before a restart goes on where it was', async () => {
  const first = await open();
  const [row] = await append(first, 1);
  if (!row || row === 'duplicate') throw new Error('it is new');
  await first.lanes.commit({ lane: LOBBY, handled: [row.seq], parts: {}, wakeAt: null, actions: [] });
  await first.close();
  const second = await open();
  await append(second, 2);
  expect(await numbers({ read: () => second.journal.read({ lane: LOBBY }) })).toEqual([1, 2]);
});

test('a lane is read whole and in order, whatever was handled, and through restarts', async () => {
  const lanes = [LOBBY, STAGE, 'daemon'] as const;
  const step = fc.oneof(
    fc.record({ append: fc.constantFrom(...lanes) }),
    fc.record({ handle: fc.nat({ max: 40 }) }),
    fc.constant('restart' as const),
  );
  let base = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      path = join(folder, `lanes${(base += 1000)}.db`);
      let store = await open();
      const rows: Journaled[] = [];
      for (const what of steps) {
        if (what === 'restart') {
          await store.close();
          store = await open();
        } else if ('append' in what) {
          const event = said(base + rows.length);
          const [row] = await store.journal.append([{ lane: what.append, event }]);
          if (row && row !== 'duplicate') rows.push(row);
        } else {
          const row = rows[what.handle];
          if (!row) continue;
          const { lane, seq } = row;
          await store.lanes.commit({ lane, handled: [seq], parts: {}, wakeAt: null, actions: [] });
        }
      }
      for (const lane of lanes) {
        const line = rows.filter((row) => row.lane === lane);
        expect(await store.journal.read({ lane })).toEqual(line);
        expect(await store.journal.read({ lane, backward: true, limit: 3 })).toEqual(
          line.slice(-3).toReversed(),
        );
        const afterSeq = line[0]?.seq ?? 0;
        expect(await store.journal.read({ lane, afterSeq, limit: 1 })).toEqual(line.slice(1, 2));
        const beforeSeq = line[1]?.seq ?? Number.MAX_SAFE_INTEGER;
        expect(await store.journal.read({ lane, beforeSeq })).toEqual(line.slice(0, 1));
      }
      await store.close();
    }),
    {
      numRuns: 12,
      // A later event was handled before an earlier one when the store was opened again.
      examples: [
        [[{ append: 'daemon' }, { append: 'daemon' }, 'restart', { handle: 1 }, { append: 'daemon' }]],
      ],
    },
  );
});

describe('a group', () => {
  test('that takes too long is committed in pieces, and nothing of it is lost', async () => {
    let now = 0;
    const store = await open({ elapsed: () => (now += 20) });
    await Promise.all(Array.from({ length: 20 }, (_, n) => append(store, n)));
    expect(await numbers(store.journal)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test('loses only the write that cannot be made', async () => {
    const store = await open();
    const bad = { ...said(2), at: Number.NaN };
    const results = await Promise.allSettled([
      append(store, 1),
      store.journal.append([
        { lane: LOBBY, event: said(5) },
        { lane: LOBBY, event: bad },
      ]),
      append(store, 3),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await numbers(store.journal)).toEqual([1, 3]);
    expect(store.readiness.reason()).toBeUndefined();
    await store.close();
    const again = await open();
    expect(await again.journal.read({ lane: LOBBY })).toMatchObject([{ seq: 1 }, { seq: 2 }]);
  });
});

describe('a full disk', () => {
  test('refuses writes and says why, still reads, loses nothing, and goes on when there is room', async () => {
    let limit: (pages: number) => void = () => undefined;
    const store = await open({
      open: (file, options) => {
        const db = openDatabase(file, options);
        if (file === path) limit = (pages) => db.exec(`PRAGMA max_page_count = ${pages}`);
        return db;
      },
    });
    await append(store, 1);
    limit(1); // SQLite takes it as: no more than there are
    const fill = async () => {
      for (let n = 100; n < 1000; n += 1) await append(store, n);
    };
    await expect(fill()).rejects.toThrow(/disk that holds .* is full/);
    expect(store.readiness.reason()).toMatch(/is full/);
    const before = await numbers(store.journal);
    expect(before[0]).toBe(1);
    const record = reply(['a'.repeat(20_000)]);
    await expect(
      store.lanes.commit({ lane: LOBBY, handled: [1], parts: {}, wakeAt: null, actions: [record] }),
    ).rejects.toThrow(StoreError);
    expect(await store.journal.undone(1)).toHaveLength(1);
    limit(1_000_000);
    clock.set(NOON + 1_000);
    await store.journal.read({ limit: 1 });
    expect(store.readiness.reason()).toBeUndefined();
    await fill();
    expect(await numbers(store.journal)).toHaveLength(901);
  });
});

test('a database that cannot go on is told by readiness, and nothing is acknowledged', async () => {
  let broken = false;
  const store = await open({
    elapsed() {
      if (broken) throw new Error('the connection is gone');
      return 0;
    },
  });
  await append(store, 1);
  broken = true;
  await expect(append(store, 2)).rejects.toThrow('the connection is gone');
  expect(store.readiness.reason()).toBe('the connection is gone');
});

describe('one writer', () => {
  test('a second daemon on the same file is turned away and told who holds it', async () => {
    await open();
    await expect(open()).rejects.toThrow(new RegExp(`in use by another usher \\(process ${process.pid} on`));
  });

  test('the file is free again after a close', async () => {
    await (await open()).close();
    await expect(open()).resolves.toBeDefined();
    expect(readdirSync(folder)).not.toContain('usher.db-wal.owner');
  });
});

describe('the schema', () => {
  const more = [...MIGRATIONS, 'CREATE TABLE later (x INTEGER)'];

  test('of a used file is brought up to date, with a copy of the old file beside it', async () => {
    const first = await open();
    await append(first, 1);
    await first.close();
    const second = await open({ migrations: more });
    expect(await numbers(second.journal)).toEqual([1]);
    await second.close();
    const copy = openJournalReader(`${path}.backup-v1`);
    expect(await numbers(copy)).toEqual([1]);
    copy.close();
  });

  test('of a newer usher is refused', async () => {
    await (await open({ migrations: more })).close();
    await expect(open()).rejects.toThrow(/written by a newer usher/);
    expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([]);
  });

  test('stays as it was when a step fails', async () => {
    const first = await open();
    await append(first, 1);
    await first.close();
    await expect(open({ migrations: [...MIGRATIONS, 'CREATE TABLE events (x)'] })).rejects.toThrow(
      /already exists/,
    );
    expect(await numbers((await open()).journal)).toEqual([1]);
  });
});

describe('damage', () => {
  const fill = async () => {
    const store = await open();
    await append(store, ...Array.from({ length: 300 }, (_, n) => n));
    await store.close();
    const bytes = readFileSync(path);
    path = join(folder, 'damaged.db'); // the closed connection may still know the other file
    return bytes;
  };

  test.each([
    [
      'no database at all',
      () => Buffer.from('this is no database, and long enough to be read as one\n'.repeat(20)),
    ],
    ['a page overwritten', (bytes: Buffer) => bytes.fill(0xff, 4096 * 5, 4096 * 9)],
    ['the end cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 4096 * 7)],
  ])('%s: refuses to start and says what to do', async (_, damage) => {
    const bytes = damage(await fill());
    writeFileSync(path, bytes);
    await expect(open()).rejects.toThrow(StoreError);
    await expect(open()).rejects.toThrow(/is damaged .*usher doctor/);
  });

  test('is found by the worker just the same', async () => {
    const worker = await buildWorker();
    writeFileSync(path, 'x'.repeat(5000));
    const opening = openStore({ path, clock, thread: 'worker', workerFile: worker.file });
    await expect(opening).rejects.toThrow(/is damaged/);
    worker.remove();
  });
});

describe('a reader beside the daemon', () => {
  test('sees each durable write at once', async () => {
    const store = await open();
    await append(store, 1);
    const reader = openJournalReader(path);
    expect(await numbers(reader)).toEqual([1]);
    await append(store, 2);
    expect(await reader.read({ lane: LOBBY, backward: true, limit: 1 })).toMatchObject([{ event: said(2) }]);
    expect(await reader.find(said(1).id)).toMatchObject({ event: said(1) });
    reader.close();
  });

  test('says so when there is no journal', () => {
    expect(() => openJournalReader(join(folder, 'none.db'))).toThrow(/none\.db cannot be opened/);
  });
});

describe('a daemon that is killed', () => {
  let program: string;
  let bundles: string;
  beforeAll(async () => {
    bundles = mkdtempSync(join(tmpdir(), 'usher-killed-'));
    program = join(bundles, 'append-until-killed.mjs');
    const worker = await buildWorker();
    const from = new URL('append-until-killed.ts', import.meta.url);
    await build({
      entryPoints: [fileURLToPath(from)],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      define: { 'import.meta.url': JSON.stringify(from.href) },
    });
    writeFileSync(join(bundles, 'store-worker.mjs'), readFileSync(worker.file));
    worker.remove();
  });
  afterAll(() => rmSync(bundles, { recursive: true }));

  test.each([
    ['same', 40],
    ['worker', 300],
    ['worker', 900],
  ])('keeps all that it acknowledged, with the %s thread, killed after %i events', async (thread, after) => {
    const child = spawn(process.execPath, [program, path, thread, join(bundles, 'store-worker.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acknowledged: number[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(Number(line));
      if (acknowledged.length === after) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    const store = await open();
    const kept = new Set(await numbers(store.journal));
    expect(acknowledged.length).toBeGreaterThanOrEqual(after);
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    const state = await store.lanes.load(LOBBY);
    const intents = await store.actions.open();
    // Each cycle commits its number and settles its intent before it is acknowledged.
    expect(state?.parts.count).toBeGreaterThanOrEqual(acknowledged.length);
    expect(intents.length).toBeLessThanOrEqual(32);
    for (const n of acknowledged) {
      const record = reply([said(n).id]);
      expect(await store.journal.find(settled(record).id)).toBeDefined();
    }
  });
});
