import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KernelOptions } from '../../src/store/kernel.ts';
import { describeError } from '../../src/errors.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import { openDatabase, type OpenDatabase, type SqlDatabase } from '../../src/store/sqlite-driver.ts';
import type { Store } from '../../src/store/store.ts';
import { buildWorker } from './built-worker.ts';
import { LOBBY, NOON, reply, said, settled } from './samples.ts';
import { slowed } from './slowed.ts';
import { testClock } from './test-clock.ts';

let folder: string;
let path: string;
let clock: ReturnType<typeof testClock>;
let stores: Store[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-faults-'));
  path = join(folder, 'usher.db');
  clock = testClock();
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true });
});

const open = async (kernel: KernelOptions = {}, options: Partial<StoreOptions> = {}): Promise<Store> => {
  const store = await openStore({ path, clock, thread: 'same', kernel, ...options });
  stores.push(store);
  return store;
};
const append = (store: Store, ...numbers: number[]) =>
  store.journal.append(numbers.map((n) => ({ lane: LOBBY, event: said(n) })));
const numbers = async (store: Store) => (await store.journal.read({})).map(({ event }) => event.at - NOON);

/** A connection in which `fault` stands before each statement that runs, and throws when it likes. */
const between =
  (fault: (sql: string) => void): OpenDatabase =>
  (file, options) => {
    const db = openDatabase(file, options);
    if (file !== path || options?.readOnly === true) return db;
    return {
      exec(sql) {
        fault(sql);
        db.exec(sql);
      },
      close: () => db.close(),
      prepare(sql) {
        const statement = db.prepare(sql);
        return {
          get: (...values) => (fault(sql), statement.get(...values)),
          all: (...values) => (fault(sql), statement.all(...values)),
          run: (...values) => (fault(sql), statement.run(...values)),
        };
      },
    } satisfies SqlDatabase;
  };
const sqlError = (errcode: number, message: string) => Object.assign(new Error(message), { errcode });

describe.each([
  [13, 'database or disk is full', /disk that holds .* is full.* goes on by itself/],
  [8, 'attempt to write a readonly database', /is read-only: nothing was written. Check its permissions/],
  [10, 'disk I/O error', /disk under .* failed: nothing was written/],
  [778, 'disk I/O error', /disk under .* failed: nothing was written/],
])('SQLite’s error %i, whichever statement it meets', (code, message, told) => {
  test('refuses the whole write, says why, and the same write goes through when it has passed', async () => {
    let left = Infinity;
    let met = '';
    const store = await open({
      open: between((sql) => {
        if (sql === 'ROLLBACK') return;
        left -= 1;
        if (left >= 0) return;
        met ||= sql;
        throw sqlError(code, message);
      }),
    });
    const statements = new Set<string>();
    const refusals: (string | undefined)[] = [];
    const reasons: (string | undefined)[] = [];
    const writes = [
      async (n: number) => append(store, n),
      async (n: number) =>
        store.lanes.commit({
          lane: LOBBY,
          handled: [],
          parts: { [`part${n}`]: n, gone: null },
          wakeAt: null,
          actions: [reply([said(n).id])],
        }),
      async (n: number) => store.actions.mark(reply([said(n).id]).action.id, 1, NOON),
      async (n: number) => {
        const record = reply([said(n).id]);
        return store.actions.settle(record.action.id, settled(record), LOBBY);
      },
    ];
    let n = 0;
    for (const [index, write] of writes.entries()) {
      for (let fine = 0; ; fine += 1) {
        if (index < 2) n += 1;
        met = '';
        left = fine;
        const refused = await write(n).then(() => undefined, describeError);
        left = Infinity;
        if (met === '') break;
        statements.add(met);
        refusals.push(refused);
        reasons.push(store.readiness.reason());
        if (refused !== undefined) await write(n);
        expect(store.readiness.reason()).toBeUndefined();
      }
    }
    expect(refusals).toEqual(refusals.map(() => expect.stringMatching(told)));
    expect(reasons).toEqual(refusals);
    expect([...statements].join('\n')).toMatch(/BEGIN[^]*INSERT INTO events[^]*COMMIT[^]*UPDATE actions/);
    const seen = await numbers(store);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is probed until it has passed, without anybody writing', async () => {
    let broken = false;
    const store = await open({
      open: between((sql) => {
        if (broken && sql !== 'ROLLBACK') throw sqlError(code, message);
      }),
    });
    broken = true;
    await expect(append(store, 1)).rejects.toThrow(told);
    clock.set(NOON + 1_000);
    await turn();
    await turn();
    expect(store.readiness.reason()).toMatch(told);
    broken = false;
    clock.set(NOON + 2_000);
    await store.journal.read({ limit: 1 });
    expect(store.readiness.reason()).toBeUndefined();
    expect(await append(store, 1)).toMatchObject([{ seq: 1 }]);
  });
});

describe('a slow disk', () => {
  /** How often the event loop came round while one write waited for its sync. */
  const turnsDuring = async (store: Store): Promise<number> => {
    const seen = { turns: 0, written: false };
    const writing = append(store, 1).then(() => (seen.written = true));
    while (!seen.written) {
      await turn();
      seen.turns += 1;
    }
    await writing;
    return seen.turns;
  };

  test('holds up nobody but those who wait for it: the event loop goes round', async () => {
    const worker = await buildWorker(undefined, 50);
    try {
      const store = await open({}, { thread: 'worker', workerFile: worker.file });
      expect(await turnsDuring(store)).toBeGreaterThan(20);
      expect(await numbers(store)).toEqual([1]);
      await store.close();
    } finally {
      worker.remove();
    }
  });

  test('would hold up everybody on the same thread', async () => {
    const store = await open({ open: (file, options) => slowed(openDatabase(file, options), 50) });
    expect(await turnsDuring(store)).toBeLessThan(10);
  });
});

test('a second daemon is turned away while the first is frozen, and let in when it was killed', async () => {
  const program = join(folder, 'hold.mjs');
  const from = new URL('hold-store.ts', import.meta.url);
  await build({
    entryPoints: [fileURLToPath(from)],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    define: { 'import.meta.url': JSON.stringify(from.href) },
  });
  const holder = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  try {
    holder.kill('SIGSTOP');
    await expect(open()).rejects.toThrow(new RegExp(`in use by another usher \\(process ${holder.pid} on`));
  } finally {
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
  expect(existsSync(`${path}.owner`)).toBe(true);
  expect(await numbers(await open())).toEqual([1]);
});

describe('a wall clock that jumps', () => {
  const DAY = 86_400_000;
  /** A wall that may jump, over time that only goes on. */
  const jumping = () => {
    const steady = testClock();
    let off = 0;
    return {
      clock: { ...steady, now: () => steady.now() + off, monotonic: () => steady.now() },
      jump: (by: number) => (off = by),
      pass: (ms: number) => steady.set(steady.now() + ms),
    };
  };

  test('ahead by years makes no history old', async () => {
    const time = jumping();
    const store = await open({}, { clock: time.clock });
    await append(store, 1, 2, 3);
    await store.lanes.commit({ lane: LOBBY, handled: [1, 2, 3], parts: {}, wakeAt: null, actions: [] });
    time.jump(3_000 * DAY);
    expect(await store.prune({ olderThanMs: 30 * DAY, maxRows: 1 })).toEqual({ events: 0, actions: 0 });
    expect(await append(store, 1)).toEqual(['duplicate']);
    time.pass(40 * DAY);
    expect(await store.prune({ olderThanMs: 30 * DAY, maxRows: 1e6 })).toEqual({ events: 2, actions: 0 });
  });

  test('back by hours keeps order of arrival, dedupe and what is young', async () => {
    const time = jumping();
    const store = await open({}, { clock: time.clock });
    const at = (n: number, seenAt: number) => said(n, { seenAt });
    await store.journal.append([{ lane: LOBBY, event: at(1, NOON) }]);
    time.jump(-5 * 3_600_000);
    await store.journal.append([
      { lane: LOBBY, event: at(2, NOON - 5 * 3_600_000) },
      { lane: LOBBY, event: at(1, NOON - 5 * 3_600_000) },
    ]);
    expect(await numbers(store)).toEqual([1, 2]);
    expect((await store.journal.undone(10)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await store.prune({ olderThanMs: 0, maxRows: 0 })).toEqual({ events: 0, actions: 0 });
  });
});
