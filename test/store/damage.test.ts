import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeError } from '../../src/errors.ts';
import type { KernelOptions } from '../../src/store/kernel.ts';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { buildWorker } from './built-worker.ts';
import { LOBBY, NOON, said } from './samples.ts';
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

/** The files of the database as a process that is killed now would leave them, in another folder. */
let images = 0;
function image(): string {
  const copy = join(folder, `image${(images += 1)}`);
  mkdirSync(copy);
  for (const end of ['', '-wal', '.reached'])
    if (existsSync(path + end)) copyFileSync(path + end, join(copy, `usher.db${end}`));
  return join(copy, 'usher.db');
}

describe('a torn log', () => {
  const EVENTS = 24;
  const FRAME = 24 + 4096;
  const HEADER = 32;

  /** All of these were acknowledged, each by a commit of its own; the copies are what a kill leaves. */
  const acknowledged = async () => {
    const store = await open();
    for (let n = 0; n < EVENTS; n += 1) await append(store, n);
    return store;
  };
  const everything = Array.from({ length: EVENTS }, (_, n) => n);
  const outcome = async (copy: string): Promise<readonly number[] | string> => {
    path = copy;
    try {
      return await numbers(await open());
    } catch (error) {
      return describeError(error);
    }
  };

  test('whose end is cut off at any kind of place starts nothing when acknowledged events are gone', async () => {
    await acknowledged();
    const size = readFileSync(`${path}-wal`).length;
    const frames = (size - HEADER) / FRAME;
    const last = HEADER + (frames - 1) * FRAME;
    const cuts = [
      0,
      1,
      HEADER - 1,
      HEADER,
      HEADER + 10,
      HEADER + 24,
      HEADER + FRAME,
      last,
      last + 12,
      size - 1,
    ];
    for (let frame = 0; frame < frames; frame += 3) cuts.push(HEADER + frame * FRAME);
    const from = path;
    for (const cut of cuts) {
      path = from;
      const copy = image();
      truncateSync(`${copy}-wal`, cut);
      expect([cut, await outcome(copy)]).toEqual([
        cut,
        expect.stringMatching(/ends at position \d+, but its journal had come to 24.*`usher doctor`/),
      ]);
      expect(readFileSync(`${copy}-wal`).length).toBe(cut);
    }
  });

  test('with anything behind its end loses nothing', async () => {
    await acknowledged();
    const wal = readFileSync(`${path}-wal`);
    const from = path;
    for (const tail of [
      Buffer.from([0]),
      Buffer.alloc(FRAME),
      Buffer.alloc(3 * FRAME + 7, 0xa5),
      wal.subarray(HEADER, HEADER + FRAME),
      wal.subarray(-FRAME),
    ]) {
      path = from;
      const copy = image();
      writeFileSync(`${copy}-wal`, Buffer.concat([wal, tail]));
      expect(await outcome(copy)).toEqual(everything);
    }
  });

  test('with a flipped bit is whole or refused, never shorter in silence', async () => {
    await acknowledged();
    const size = readFileSync(`${path}-wal`).length;
    const from = path;
    const found: (readonly number[] | string)[] = [];
    for (let at = 3; at < size; at += Math.floor(size / 40)) {
      path = from;
      const copy = image();
      const wal = readFileSync(`${copy}-wal`);
      wal[at] = (wal[at] ?? 0) ^ 0x10;
      writeFileSync(`${copy}-wal`, wal);
      found.push(await outcome(copy));
    }
    const refused = found.filter((one) => typeof one === 'string');
    expect(refused.length).toBeGreaterThan(10);
    expect(
      refused.filter((one) => !/ends at position \d+, but its journal had come to 24/.test(one)),
    ).toEqual([]);
    const whole = found.filter((one) => typeof one !== 'string');
    expect(whole).toEqual(whole.map(() => everything));
  });
});

describe('a database that is not the one it was', () => {
  const filled = async (): Promise<string> => {
    const store = await open();
    await append(store, 1, 2);
    await store.close();
    const older = image();
    const again = await open();
    await append(again, 3);
    await again.close();
    return older;
  };

  test('an older copy put back starts nothing, is not touched, and the newer file may come back', async () => {
    const older = await filled();
    const newer = readFileSync(path);
    path = join(folder, 'put-back.db');
    copyFileSync(join(folder, 'usher.db.reached'), `${path}.reached`);
    copyFileSync(older, path);
    const before = readFileSync(path);
    await expect(open()).rejects.toThrow(
      /ends at position 2, but its journal had come to 3: it is an older copy/,
    );
    expect(readFileSync(path)).toEqual(before);
    path = join(folder, 'newer.db');
    copyFileSync(join(folder, 'usher.db.reached'), `${path}.reached`);
    writeFileSync(path, newer);
    expect(await numbers(await open())).toEqual([1, 2, 3]);
  });

  test.each([
    ['missing', () => undefined],
    ['empty', (file: string) => writeFileSync(file, '')],
  ])('one that is %s starts nothing and says so', async (what, make) => {
    await filled();
    const reached = join(folder, 'usher.db.reached');
    path = join(folder, 'gone.db');
    copyFileSync(reached, `${path}.reached`);
    make(path);
    await expect(open()).rejects.toThrow(
      new RegExp(`is ${what}, but its journal had come to position 3 .*usher doctor`),
    );
    expect(existsSync(path)).toBe(what === 'empty');
  });

  test('a note that says less, or nothing that can be read, is no obstacle', async () => {
    for (const [name, note] of [
      ['less', '{"position":1}\n'],
      ['garbage', '\0\0\0\0'],
      ['empty', ''],
    ] as const) {
      path = join(folder, `${name}.db`);
      const store = await open();
      await append(store, 1, 2);
      await store.close();
      writeFileSync(`${path}.reached`, note);
      expect(await numbers(await open())).toEqual([1, 2]);
    }
  });

  test('retention does not make a journal look older', async () => {
    const store = await open();
    await append(store, 1, 2, 3);
    await store.lanes.commit({ lane: LOBBY, handled: [1, 2, 3], parts: {}, wakeAt: null, actions: [] });
    clock.set(NOON + 40 * 86_400_000);
    expect(await store.prune({ olderThanMs: 86_400_000, maxRows: 1 })).toEqual({ events: 2, actions: 0 });
    await store.close();
    await expect(open()).resolves.toBeDefined();
  });
});

describe('flipped bits', () => {
  /** Pages of the events table in the middle of the file, made unreadable. */
  function breakLeaves(file: string): void {
    const bytes = readFileSync(file);
    let broken = 0;
    for (let page = 8; page * 4096 < bytes.length && broken < 3; page += 1) {
      if (bytes[page * 4096] !== 0x0d) continue;
      bytes.fill(0xff, page * 4096 + 1, page * 4096 + 200);
      broken += 1;
    }
    expect(broken).toBeGreaterThan(0);
    writeFileSync(file, bytes);
  }

  test('that are met while running stop the store for good, and it says what to do', async () => {
    const first = await open();
    await append(first, ...Array.from({ length: 300 }, (_, n) => n));
    await first.close();
    const copy = image();
    breakLeaves(copy);
    path = copy;
    const store = await open({ checkedFirst: 0 });
    expect(store.readiness.reason()).toBeUndefined();
    await expect(store.journal.read({})).rejects.toThrow(/is damaged .*usher doctor/);
    expect(store.readiness.reason()).toMatch(/is damaged .*usher doctor/);
    await expect(append(store, 500)).rejects.toThrow(/is damaged/);
    clock.set(NOON + 60_000);
    await turn();
    expect(store.readiness.reason()).toMatch(/is damaged/);
  });

  test('in a file too large to be checked first are found beside, soon after the start', async () => {
    const first = await open();
    for (let n = 0; n < 70; n += 1) {
      const event = said(n, { text: 'x'.repeat(1_000_000) });
      await first.journal.append([{ lane: LOBBY, event }]);
    }
    await append(first, ...Array.from({ length: 300 }, (_, n) => 1_000 + n));
    await first.close();
    const worker = await buildWorker();
    try {
      const sound = image();
      const copy = image();
      breakLeaves(copy);
      path = copy;
      const store = await open({}, { thread: 'worker', workerFile: worker.file });
      clock.set(clock.now() + 10_000);
      await expect.poll(() => store.readiness.reason(), { timeout: 15_000 }).toMatch(/is damaged/);
      await expect(append(store, 5_000)).rejects.toThrow(/is damaged .*usher doctor/);
      await store.close();
      path = sound;
      const fine = await open({}, { thread: 'worker', workerFile: worker.file });
      clock.set(clock.now() + 10_000);
      await fine.close();
      expect(fine.readiness.reason()).toBe('The store is closed.');
      expect(await append(fine, 5_000).catch(String)).toMatch(/The store is closed/);
    } finally {
      worker.remove();
    }
  });
});
