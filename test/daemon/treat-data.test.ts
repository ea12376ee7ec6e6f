import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { treatData, type Treatment } from '../../src/daemon/treat-data.ts';
import { findingsOf } from '../../src/store/quick-check.ts';
import { openDatabase, type SqlDatabase } from '../../src/store/sqlite-driver.ts';
import { openOperatorState } from '../../src/store/operator-state.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { LOBBY, NOON, reply, said } from '../store/samples.ts';
import { testClock } from '../store/test-clock.ts';

let folder: string;
let clock: ReturnType<typeof testClock>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-doctor-'));
  clock = testClock();
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const open = () => openStore({ path: at('usher.db'), clock, thread: 'same' });
const operator = () => openOperatorState({ folder, clock, log: { warn: () => undefined } });
const treat = (rebuild?: []) => treatData({ folder, clock, rebuild });
const words = ({ notes }: Treatment): readonly string[] => notes.map(({ kind, text }) => `${kind}: ${text}`);

/** A life of the daemon: so many events, the last with an open intent; and a ban. */
async function live(events: number): Promise<void> {
  const store = await open();
  const all = Array.from({ length: events }, (_, n) => ({ lane: LOBBY, event: said(n + 1) }) as const);
  await store.journal.append(all);
  const handled = Array.from({ length: events }, (_, n) => n + 1);
  const actions = [reply([said(events).id])];
  await store.lanes.commit({
    lane: LOBBY,
    handled,
    parts: { 'place/': { open: true } },
    wakeAt: null,
    actions,
  });
  await store.close();
  const state = await operator();
  await state.ban({
    bot: 'house',
    member: 'session:s1',
    screenName: 'Grim',
    reason: 'spam',
    until: NOON + 1e9,
    action: 'a1',
  });
  await state.close();
}
const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};
const quietBefore = async (): Promise<number | undefined> => {
  const state = await operator();
  await state.close();
  return state.quietBefore();
};

/** Makes a page of the middle of the events table unreadable. */
function breakLeaf(): void {
  const bytes = readFileSync(at('usher.db'));
  const leaves = Array.from({ length: bytes.length / 4096 }, (_, page) => page).filter(
    (page) => page > 8 && bytes[page * 4096] === 0x0d,
  );
  const page = leaves[leaves.length >> 1] ?? 0;
  bytes.fill(0xff, page * 4096 + 1, page * 4096 + 300);
  writeFileSync(at('usher.db'), bytes);
}

test('finds a sound directory sound, keeps a whole copy of it, and changes nothing', async () => {
  await live(20);
  const before = readFileSync(at('operator.json'), 'utf8');
  const treatment = await treat();
  expect(words(treatment)).toEqual([
    'sound: usher.db is sound: 20 events (0 not handled yet), 1 lanes, 1 actions (1 open)',
    'sound: operator.json is sound: 1 bans',
  ]);
  expect(treatment.backup).toBe(at('backup-2026-01-02T12-00-00Z'));
  for (const file of ['operator.json', 'operator.json.bak', 'usher.db', 'usher.db.reached'])
    expect(readFileSync(join(treatment.backup, file)).equals(readFileSync(at(file)))).toBe(true);
  expect(readFileSync(at('operator.json'), 'utf8')).toBe(before);
  await withStore(async (store) => expect(await store.journal.read({})).toHaveLength(20));
  expect(await quietBefore()).toBeUndefined();
});

test('keeps away from the directory of a running daemon', async () => {
  await live(3);
  await withStore(async () => {
    await expect(treat()).rejects.toThrow(/in use by another usher .*stop that one first/);
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
});

test('changes nothing when no copy can be made, and says so', async () => {
  await live(300);
  breakLeaf();
  rmSync(at('operator.json.bak'));
  mkdirSync(at('operator.json.bak')); // cannot be copied as a file
  const before = readFileSync(at('usher.db'));
  await expect(treat()).rejects.toThrow(/could not be copied to .*so nothing was changed/);
  expect(readFileSync(at('usher.db')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
});

test('makes a damaged database one that starts, and says exactly what is lost', async () => {
  await live(300);
  breakLeaf();
  const damaged = readFileSync(at('usher.db'));
  await expect(open()).rejects.toThrow(/is damaged .*usher doctor/);
  const treatment = await treat();
  expect(words(treatment)).toEqual([
    expect.stringMatching(/^mended: usher.db was damaged: .+/),
    expect.stringMatching(/^mended: usher.db is made anew from what could be read: 2\d\d events/),
    expect.stringMatching(/^lost: \d+ events \(\d+ message\.posted\): positions \d+ to \d+$/),
    'sound: operator.json is sound: 1 bans',
    expect.stringMatching(/^mended: what happened before now is not answered again/),
    expect.stringMatching(/^todo: compositions/),
  ]);
  expect(readFileSync(join(treatment.backup, 'usher.db')).equals(damaged)).toBe(true);
  expect(await quietBefore()).toBe(NOON);
  await withStore(async (store) => {
    expect(await store.lanes.load(LOBBY)).toMatchObject({ parts: { 'place/': { open: true } } });
    expect(await store.actions.open()).toMatchObject([{ attempts: 0, markedAt: null }]);
    expect(await store.journal.append([{ lane: LOBBY, event: said(999) }])).toMatchObject([{ seq: 301 }]);
  });
  expect(words(await treat())[0]).toMatch(/^sound: usher.db is sound/);
});

test('goes on from an older copy: what is open in it is looked for before it is done', async () => {
  await live(3);
  copyFileSync(at('usher.db'), at('older'));
  await withStore((store) => store.journal.append([{ lane: LOBBY, event: said(4) }]));
  copyFileSync(at('older'), at('usher.db'));
  await expect(open()).rejects.toThrow(/is an older copy/);
  clock.set(NOON + 60_000);
  expect(words(await treat())).toEqual([
    expect.stringMatching(/^sound: usher.db is sound/),
    expect.stringMatching(
      /^lost: The journal ends at position 3 but had come to 4.* 1 events at least are forgotten/,
    ),
    expect.stringMatching(/^mended: 1 open actions of it are taken as tried/),
    'sound: operator.json is sound: 1 bans',
    expect.stringMatching(/^mended: what happened before now is not answered again/),
    expect.stringMatching(/^todo: compositions/),
  ]);
  expect(await quietBefore()).toBe(NOON + 60_000);
  await withStore(async (store) => {
    expect(await store.actions.open()).toMatchObject([{ attempts: 1, markedAt: NOON + 60_000 }]);
  });
});

test('names the end of a log that is gone', async () => {
  await live(3);
  const store = await open();
  await store.journal.append([{ lane: LOBBY, event: said(4) }]);
  await store.journal.append([{ lane: LOBBY, event: said(5) }]);
  const killed = at('killed');
  mkdirSync(killed);
  for (const end of ['', '-wal', '.reached'])
    copyFileSync(at(`usher.db${end}`), join(killed, `usher.db${end}`));
  await store.close();
  truncateSync(join(killed, 'usher.db-wal'), 4_200);
  const { notes, backup } = await treatData({ folder: killed, clock });
  expect(notes.find(({ kind }) => kind === 'lost')?.text).toMatch(/ends at position \d but had come to 5/);
  expect(readFileSync(join(backup, 'usher.db-wal'))).toHaveLength(4_200);
});

test.each(['missing', 'empty'])(
  'begins anew where the database is %s, and says what that means',
  async (what) => {
    await live(3);
    rmSync(at('usher.db'));
    if (what === 'empty') writeFileSync(at('usher.db'), '');
    const treatment = await treat([]);
    expect(words(treatment)[0]).toMatch(
      new RegExp(
        `^lost: usher.db is ${what}, and its journal had come to position 3: all events.*begins anew`,
      ),
    );
    expect(await quietBefore()).toBe(NOON);
    await withStore(async (store) => expect(await store.journal.read({})).toEqual([]));
  },
);

test('finds nothing wrong with a directory that was never used', async () => {
  expect(words(await treat())).toEqual([
    'sound: there is no journal yet',
    'sound: operator.json is sound: 0 bans',
  ]);
  await expect(treatData({ folder: at('nowhere'), clock })).rejects.toThrow(/There is no data directory/);
  expect(existsSync(at('nowhere'))).toBe(false);
});

test('says that bans are gone when the operator’s file and its copy are broken, and keeps both', async () => {
  await live(3);
  for (const file of ['operator.json', 'operator.json.bak']) writeFileSync(at(file), '{"bans": [');
  const treatment = await treat();
  expect(words(treatment).slice(1)).toEqual([
    expect.stringMatching(
      /^lost: operator.json and its copy could not be read: bans and settings begin empty/,
    ),
    expect.stringMatching(/^todo: correct .*backup-.*operator\.json by hand/),
  ]);
  expect(readFileSync(join(treatment.backup, 'operator.json'), 'utf8')).toBe('{"bans": [');
  const state = await operator();
  expect(state.bans()).toEqual([]);
  await state.close();
});

test('puts the good copy of the operator’s file in place', async () => {
  await live(3);
  writeFileSync(at('operator.json'), '{"bans": [');
  expect(words(await treat())[1]).toMatch(
    /^mended: the operator file was damaged: its last good copy is in place again/,
  );
});

test('makes the state of lanes again where it is asked to, and leaves the actions', async () => {
  await live(20);
  const treatment = await treat([]);
  expect(words(treatment).at(-1)).toMatch(/^mended: the state of 1 lanes is made again from 20 events/);
  await withStore(async (store) => {
    const lane = await store.lanes.load(LOBBY);
    expect(lane?.position).toBe(20);
    expect(JSON.stringify(lane?.parts)).toContain('lobby|m|000020');
    expect(await store.actions.open()).toHaveLength(1);
  });
});

test('an error that passes is no damage: a sound database that another program holds is left as it is', async () => {
  await live(20);
  const lived = folder;
  folder = mkdtempSync(join(tmpdir(), 'usher-doctor-'));
  cpSync(lived, folder, { recursive: true }); // files that no closed connection still has open
  rmSync(lived, { recursive: true });
  const before = readFileSync(at('usher.db'));
  const holder = openDatabase(at('usher.db'));
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  try {
    await expect(treat()).rejects.toThrow(/holds a write lock on .*usher\.db.*database is locked/);
  } finally {
    holder.close();
  }
  expect(readFileSync(at('usher.db')).equals(before)).toBe(true);
  expect(words(await treat())).toContain(
    'sound: usher.db is sound: 20 events (0 not handled yet), 1 lanes, 1 actions (1 open)',
  );
});

test.each([
  ['Tree 5 page 7: unable to get the page. error code=522', 522],
  ['Tree 5 page 7: btreeInitPage() returns error code 7', 7],
])('a page that could not be looked at is no damage: %s', (finding, errcode) => {
  const saying = (...findings: readonly string[]): SqlDatabase => ({
    exec: () => undefined,
    close: () => undefined,
    prepare: () => ({
      run: () => ({ changes: 0 }),
      get: () => undefined,
      all: () => findings.map((integrity_check) => ({ integrity_check })),
    }),
  });
  const broken = 'Tree 5 page 9: btreeInitPage() returns error code 11';
  expect(findingsOf(saying('ok'), 'integrity_check(20)')).toEqual([]);
  expect(findingsOf(saying(broken), 'integrity_check(20)')).toEqual([broken]);
  expect(() => findingsOf(saying(broken, finding), 'integrity_check(20)')).toThrow(
    expect.objectContaining({ errcode }),
  );
});
