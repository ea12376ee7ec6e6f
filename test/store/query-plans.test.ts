import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalQuery } from '../../src/engine/ports.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openDatabase } from '../../src/store/sqlite-driver.ts';
import type { Store } from '../../src/store/store.ts';
import { LOBBY, reply, said, settled } from './samples.ts';
import { testClock } from './test-clock.ts';

let folder: string;
let path: string;
let store: Store;
const asked = new Set<string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'usher-plans-'));
  path = join(folder, 'usher.db');
  store = await openStore({
    path,
    clock: testClock(),
    thread: 'same',
    kernel: {
      open(file, options) {
        const db = openDatabase(file, options);
        const prepare = db.prepare.bind(db);
        return {
          exec: (sql) => db.exec(sql),
          close: () => db.close(),
          prepare(sql) {
            if (file === path && options?.readOnly !== true) asked.add(sql);
            return prepare(sql);
          },
        };
      },
    },
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Planned like a walk, and ends at its first step. */
const NEWEST = 'SELECT max(seq) AS seq FROM events';

/** Statements that look at every event, by SQLite's own plan for them. */
function whole(): readonly string[] {
  const db = openDatabase(path, { readOnly: true });
  const plans = [...asked]
    .filter(
      (sql) => /^(?:SELECT|WITH|UPDATE|DELETE|INSERT)/.test(sql) && sql.includes('events') && sql !== NEWEST,
    )
    .map((sql) => {
      const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]; // SQLite's own answer
      return {
        sql,
        through: rows.map(({ detail }) => detail).filter((detail) => /^(?:SCAN|SEARCH) events$/.test(detail)),
      };
    });
  db.close();
  return plans.filter(({ through }) => through.length > 0).map(({ sql }) => sql);
}

test('no statement of a running daemon walks through all events', async () => {
  const [row] = await store.journal.append([{ lane: LOBBY, event: said(1) }]);
  const record = reply([said(1).id]);
  await store.lanes.commit({ lane: LOBBY, handled: [1], parts: { a: 1 }, wakeAt: null, actions: [record] });
  await store.actions.mark(record.action.id, 1, 1);
  await store.actions.settle(record.action.id, settled(record), LOBBY);
  expect(row).toMatchObject({ seq: 1 });
  await store.lanes.load(LOBBY);
  await store.lanes.list();
  await store.actions.open();
  await store.actions.find(record.action.id);
  await store.journal.find(said(1).id);
  await store.journal.undone(10);
  await store.prune({ olderThanMs: 0, maxRows: 0 });
  const queries: readonly JournalQuery[] = [
    { lane: LOBBY },
    { lane: LOBBY, backward: true, limit: 1 },
    { lane: LOBBY, types: ['message.posted'], beforeSeq: 9, backward: true, limit: 1 },
    { lane: LOBBY, types: ['message.posted', 'action.settled'], fromAt: 1, afterSeq: 1 },
    { types: ['action.settled'], backward: true, limit: 5 },
    { afterSeq: 1, limit: 5 },
  ];
  for (const query of queries) await store.journal.read(query);
  expect(asked.size).toBeGreaterThan(20);
  expect(whole()).toEqual([]);
});

test('and one that does would be seen', () => {
  asked.add('SELECT seq, body FROM events WHERE body = ?');
  asked.add('SELECT max(seq) FROM inbox JOIN events USING (seq) WHERE lane = ?');
  expect(whole()).toHaveLength(2);
});
