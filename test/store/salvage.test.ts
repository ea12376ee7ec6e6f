import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { salvage, type Salvage } from '../../src/store/salvage.ts';
import { openDatabase } from '../../src/store/sqlite-driver.ts';
import { LOBBY, NOON, reply, said, settled, STAGE } from './samples.ts';
import { testClock } from './test-clock.ts';

const EVENTS = 400;
const PAGE = 4096;

let folder: string;
let from: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-salvage-'));
  from = join(folder, 'damaged.db');
  to = join(folder, 'new.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (path: string) => openStore({ path, clock: testClock(), thread: 'same' });
const record = (n: number) => reply([said(n).id]);

/** Two lanes, every tenth event with an intent, of which the last five are open, the last three events undone. */
const fill = async (): Promise<Buffer> => Buffer.from(await (sound ??= made()));
let sound: Promise<Buffer> | undefined;
async function made(): Promise<Buffer> {
  const path = join(folder, 'usher.db');
  const store = await open(path);
  const writes: Promise<unknown>[] = [];
  for (let n = 1; n <= EVENTS; n += 1) {
    const lane = n % 2 === 0 ? LOBBY : STAGE;
    // At once, so that they share a commit.
    writes.push(store.journal.append([{ lane, event: said(n, { text: `${n} `.padEnd(200, '.') }) }]));
    if (n > EVENTS - 3) continue;
    const actions = n % 10 === 0 ? [record(n)] : [];
    writes.push(
      store.lanes.commit({ lane, handled: [n], parts: { [`seen/${n % 7}`]: n }, wakeAt: null, actions }),
    );
  }
  await Promise.all(writes);
  for (let n = 10; n <= EVENTS - 60; n += 10) {
    await store.actions.settle(record(n).action.id, settled(record(n)), LOBBY);
  }
  await store.close();
  return readFileSync(path);
}

/** The pages that hold a table or an index, by SQLite's own account. */
function pagesOf(bytes: Buffer, name: string): readonly number[] {
  const path = join(folder, 'looked-at.db');
  writeFileSync(path, bytes);
  const db = openDatabase(path, { readOnly: true });
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as {
    rootpage: number;
  };
  db.close();
  const walk = (page: number): number[] => {
    const at = (page - 1) * PAGE;
    const kind = bytes[at];
    if (kind !== 5 && kind !== 2) return [page];
    const cells = bytes.readUInt16BE(at + 3);
    const children = Array.from({ length: cells }, (_, cell) =>
      bytes.readUInt32BE(at + bytes.readUInt16BE(at + 12 + cell * 2)),
    );
    return [page, ...[...children, bytes.readUInt32BE(at + 8)].flatMap(walk)];
  };
  return walk(root.rootpage);
}
const isLeaf = (bytes: Buffer, page: number): boolean => [13, 10].includes(bytes[(page - 1) * PAGE] ?? 0);
const breakPage = (bytes: Buffer, page: number): void => {
  bytes.fill(0xff, (page - 1) * PAGE, (page - 1) * PAGE + 300);
};

async function salvaged(bytes: Buffer): Promise<Salvage & { readonly seqs: readonly number[] }> {
  writeFileSync(from, bytes);
  const result = salvage(from, to, EVENTS + 34);
  expect(readFileSync(from).equals(bytes)).toBe(true);
  const store = await open(to);
  const seqs = (await store.journal.read({})).map(({ seq }) => seq);
  // What is there can be read by lane, in order, and goes on.
  const byLane = await Promise.all(([LOBBY, STAGE] as const).map((lane) => store.journal.read({ lane })));
  expect(byLane.flatMap((rows) => rows.map(({ seq }) => seq)).toSorted((a, b) => a - b)).toEqual(seqs);
  const [row] = await store.journal.append([{ lane: LOBBY, event: said(9_999) }]);
  expect((await store.journal.read({ lane: LOBBY })).at(-1)).toEqual(row);
  await store.close();
  return { ...result, seqs };
}

describe('salvage', () => {
  test('of a sound database keeps all of it', async () => {
    const result = await salvaged(await fill());
    expect(result).toMatchObject({
      kept: { events: EVENTS + 34, lanes: 2, actions: 39 },
      events: { keys: [], exact: true },
      lanes: [],
      actions: { keys: [], exact: true },
      openActions: 0,
      inboxGuessed: false,
    });
    const store = await open(to);
    expect((await store.actions.open()).map(({ action }) => action.id)).toEqual(
      [350, 360, 370, 380, 390].map((n) => record(n).action.id),
    );
    expect((await store.journal.undone(100)).filter(({ seq }) => seq <= EVENTS)).toHaveLength(3);
    expect(await store.journal.append([{ lane: LOBBY, event: said(5) }])).toEqual(['duplicate']);
    expect((await store.lanes.load(LOBBY))?.parts).toMatchObject({ 'seen/2': 394 });
    await store.close();
  });

  test('says exactly which events a broken leaf held, and of which type', async () => {
    const bytes = await fill();
    const leaves = pagesOf(bytes, 'events').filter((page) => isLeaf(bytes, page));
    for (const page of leaves.slice(5, 7)) breakPage(bytes, page);
    const { events, types, seqs, kept } = await salvaged(bytes);
    expect(events.exact).toBe(true);
    expect(events.keys.length).toBeGreaterThan(4);
    expect(kept.events + events.keys.length).toBe(EVENTS + 34);
    expect([...seqs, ...events.keys].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: EVENTS + 34 }, (_, n) => n + 1),
    );
    expect(types).toEqual(new Map([['message.posted', events.keys.length]]));
  });

  test.each(['first', 'last'] as const)('goes on behind the %s leaf', async (which) => {
    const bytes = await fill();
    const leaves = pagesOf(bytes, 'events').filter((page) => isLeaf(bytes, page));
    breakPage(bytes, which === 'first' ? leaves[0]! : leaves.at(-1)!);
    const { events, seqs } = await salvaged(bytes);
    expect(events.keys).toContain(which === 'first' ? 1 : EVENTS + 34);
    expect(seqs.length + events.keys.length).toBe(EVENTS + 34);
  });

  test('without the index of types gives the positions that may have been', async () => {
    const bytes = await fill();
    const leaves = pagesOf(bytes, 'events').filter((page) => isLeaf(bytes, page));
    breakPage(bytes, leaves[5]!);
    breakPage(
      bytes,
      pagesOf(bytes, 'events_type').find((page) => isLeaf(bytes, page))!,
    );
    const { events, seqs } = await salvaged(bytes);
    expect(events.exact).toBe(false);
    expect(seqs.length + events.keys.length).toBe(EVENTS + 34);
  });

  test('loses nothing where only an index is broken', async () => {
    const bytes = await fill();
    for (const index of [
      'events_type',
      'sqlite_autoindex_events_1',
      'sqlite_autoindex_names_1',
      'actions_open',
    ])
      for (const page of pagesOf(bytes, index)) breakPage(bytes, page);
    expect(await salvaged(bytes)).toMatchObject({
      kept: { events: EVENTS + 34, lanes: 2, actions: 39 },
      events: { keys: [] },
      lanes: [],
      actions: { keys: [] },
    });
  });

  test('finds everything below a broken root of another table, and names that only their index has', async () => {
    const bytes = await fill();
    for (const page of pagesOf(bytes, 'names')) breakPage(bytes, page);
    expect(await salvaged(bytes)).toMatchObject({
      kept: { events: EVENTS + 34, lanes: 2 },
      events: { keys: [] },
    });
  });

  test('says loudly how many open actions went', async () => {
    const bytes = await fill();
    const leaves = pagesOf(bytes, 'actions').filter((page) => isLeaf(bytes, page));
    breakPage(bytes, leaves.at(-1)!);
    const { actions, openActions, kept } = await salvaged(bytes);
    expect(actions.exact).toBe(true);
    expect(kept.actions + actions.keys.length).toBe(39);
    expect(openActions).toBeGreaterThan(0);
    expect(openActions).toBeLessThanOrEqual(actions.keys.length);
  });

  test('names the lanes whose state is lost, and guesses no half states', async () => {
    const bytes = await fill();
    for (const page of pagesOf(bytes, 'lane_parts')) breakPage(bytes, page);
    const result = await salvaged(bytes);
    expect(result.lanes.toSorted((a, b) => a.localeCompare(b))).toEqual([LOBBY, STAGE]);
    expect(result.kept).toEqual({ events: EVENTS + 34, lanes: 0, actions: 39 });
  });

  test('without the inbox takes what came after each lane’s position as not handled', async () => {
    const bytes = await fill();
    for (const page of pagesOf(bytes, 'inbox')) breakPage(bytes, page);
    const result = await salvaged(bytes);
    expect(result.inboxGuessed).toBe(true);
    const store = await open(to);
    expect((await store.journal.undone(3)).map(({ seq }) => seq)).toEqual([398, 399, 400]);
    await store.close();
  });

  test('sees through a broken first page', async () => {
    const bytes = await fill();
    bytes.fill(0, 0, PAGE);
    expect(await salvaged(bytes)).toMatchObject({
      kept: { events: EVENTS + 34, lanes: 2, actions: 39 },
      events: { keys: [] },
    });
  });

  test('does not keep a row that cannot be true', async () => {
    const bytes = await fill();
    const at = bytes.indexOf('"messageId":"lobby|m|000100"');
    bytes[at + 20] = 0x22;
    const id = bytes.indexOf('lobby|m|000200"');
    bytes[id + 10] = 0x39;
    const { events } = await salvaged(bytes);
    expect(events.keys.length).toBeGreaterThanOrEqual(1);
    expect(events.keys.every((seq) => [100, 200].includes(seq))).toBe(true);
  });

  test('ends with nothing, and not with an error, where nothing can be read', async () => {
    writeFileSync(from, 'no database '.repeat(2_000));
    expect(salvage(from, to, 12)).toMatchObject({ kept: { events: 0, lanes: 0, actions: 0 } });
    const store = await open(to);
    expect(await store.journal.append([{ lane: LOBBY, event: said(1, { at: NOON }) }])).toMatchObject([
      { seq: 1 },
    ]);
    await store.close();
  });
});
