import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { LaneCommit } from '../../src/engine/ports.ts';
import { StoreError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { LOBBY, NOON, reply, said, settled, STAGE } from './samples.ts';

/** A store for one test, at a time of the test's choice, and what ends it. */
export interface StoreUnderTest {
  readonly store: Store;
  readonly setNow: (now: number) => void;
  readonly end: () => Promise<void>;
}

const DAY = 24 * 3_600_000;

/** What each store must do, whatever it is made of. */
export function storeContract(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`contract of ${name}`, () => {
    const ends: (() => Promise<void>)[] = [];
    const start = async (): Promise<StoreUnderTest> => {
      const made = await make();
      ends.push(made.end);
      return made;
    };
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
    });

    const commit = (over: Partial<LaneCommit> = {}): LaneCommit => ({
      lane: LOBBY,
      handled: [],
      parts: {},
      wakeAt: null,
      actions: [],
      ...over,
    });
    const append = (store: Store, ...numbers: number[]) =>
      store.journal.append(numbers.map((n) => ({ lane: LOBBY, event: said(n) })));

    describe('journal', () => {
      test('gives events growing positions and reads them back whole', async () => {
        const { store } = await start();
        const rows = await append(store, 1, 2);
        const [first, second] = rows;
        if (first === 'duplicate' || second === 'duplicate') throw new Error('nothing was there before');
        expect(second!.seq).toBeGreaterThan(first!.seq);
        expect(await store.journal.read({})).toEqual([first, second]);
        expect(await store.journal.find(said(2).id)).toEqual(second);
        expect(await store.journal.find('nothing')).toBeUndefined();
      });

      test('knows an id again, in one append, in a later one, and beside another', async () => {
        const { store } = await start();
        expect(await append(store, 1, 1)).toEqual([expect.objectContaining({ lane: LOBBY }), 'duplicate']);
        expect(await append(store, 1)).toEqual(['duplicate']);
        const beside = await Promise.all([append(store, 2), append(store, 2)]);
        expect(beside.flat().filter((row) => row === 'duplicate')).toHaveLength(1);
      });

      test('keeps the order in which appends were asked for', async () => {
        const { store } = await start();
        await Promise.all([3, 1, 2].map((n) => append(store, n)));
        expect((await store.journal.read({})).map(({ event }) => event.at - NOON)).toEqual([3, 1, 2]);
      });

      test('takes ids, lanes and texts of any characters', async () => {
        const { store } = await start();
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 5 }),
            async (texts) => {
              const events = texts.map((text) => ({
                lane: `room:${text}` as const,
                event: { ...said(0, { text }), id: `message.posted ${text} ${Math.random()}` },
              }));
              await store.journal.append(events);
              for (const { lane, event } of events) {
                expect(await store.journal.find(event.id)).toMatchObject({ lane, event });
                expect(await store.journal.read({ lane, backward: true, limit: 1 })).toMatchObject([
                  { event },
                ]);
              }
            },
          ),
          { numRuns: 30 },
        );
      });

      test('dedupes any doubling and any split into appends: each fact once, in the order of its first telling', async () => {
        const { store } = await start();
        let base = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.array(fc.nat({ max: 12 }), { maxLength: 6 }), { maxLength: 8 }),
            fc.boolean(),
            async (batches, atOnce) => {
              base += 100;
              const fresh = batches.map((numbers) => numbers.map((n) => base + n));
              const afterSeq = (await store.journal.read({ backward: true, limit: 1 }))[0]?.seq ?? 0;
              if (atOnce) await Promise.all(fresh.map((numbers) => append(store, ...numbers)));
              else for (const numbers of fresh) await append(store, ...numbers);
              const kept = (await store.journal.read({ afterSeq })).map(({ event }) => event.at - NOON);
              expect(kept).toEqual([...new Set(fresh.flat())]);
            },
          ),
          { numRuns: 30 },
        );
      });

      test('shows what is undone in order until a lane has handled it', async () => {
        const { store } = await start();
        const rows = (await append(store, 1, 2, 3)).map((row) => (row === 'duplicate' ? 0 : row.seq));
        const undone = async (limit: number, after?: number) =>
          (await store.journal.undone(limit, after)).map(({ seq }) => seq);
        expect(await undone(2)).toEqual(rows.slice(0, 2));
        expect(await undone(2, rows[1])).toEqual([rows[2]]);
        await store.lanes.commit(commit({ handled: rows.slice(0, 2) }));
        expect(await undone(10)).toEqual([rows[2]]);
      });

      test('reads by position, time, lane, type, direction and limit', async () => {
        const { store } = await start();
        const at = (n: number) => NOON + n;
        await append(store, 1, 2, 3);
        await store.journal.append([
          { lane: STAGE, event: said(4) },
          { lane: STAGE, event: settled(reply(['x'])) },
        ]);
        const all = (await store.journal.read({})).map(({ seq }) => seq);
        const read = async (query: Parameters<Store['journal']['read']>[0]) =>
          (await store.journal.read(query)).map(({ seq }) => all.indexOf(seq) + 1);
        expect(await read({ afterSeq: all[1]! })).toEqual([3, 4, 5]);
        expect(await read({ beforeSeq: all[2]! })).toEqual([1, 2]);
        expect(await read({ backward: true, limit: 2 })).toEqual([5, 4]);
        expect(await read({ backward: true, limit: 2, beforeSeq: all[3]! })).toEqual([3, 2]);
        expect(await read({ fromAt: at(2), toAt: at(3) })).toEqual([2, 3]);
        expect(await read({ lane: STAGE })).toEqual([4, 5]);
        expect(await read({ lane: 'room:unheard' })).toEqual([]);
        expect(await read({ types: ['action.settled'] })).toEqual([5]);
        expect(await read({ types: ['message.posted'], lane: STAGE })).toEqual([4]);
        expect(await read({ types: ['message.posted', 'action.settled'], fromAt: at(4) })).toEqual([4]);
        expect(await read({ types: ['room.closed'] })).toEqual([]);
        expect(await read({ types: [] })).toEqual([]);
      });

      test('appends nothing when asked to', async () => {
        const { store } = await start();
        expect(await store.journal.append([])).toEqual([]);
      });
    });

    describe('lanes', () => {
      test('keep changed parts, drop those that are null, and reflect the newest event handled', async () => {
        const { store } = await start();
        expect(await store.lanes.load(LOBBY)).toBeUndefined();
        const rows = (await append(store, 1, 2)).map((row) => (row === 'duplicate' ? 0 : row.seq));
        await store.lanes.commit(
          commit({
            handled: [rows[0]!],
            parts: { members: { ann: [1, 'two', null] }, strikes: 3 },
            wakeAt: 5,
          }),
        );
        await store.lanes.commit(commit({ handled: [rows[1]!], parts: { strikes: null, mutes: [] } }));
        expect(await store.lanes.load(LOBBY)).toEqual({
          lane: LOBBY,
          position: rows[1],
          parts: { members: { ann: [1, 'two', null] }, mutes: [] },
          wakeAt: null,
        });
        await store.lanes.commit(commit({ wakeAt: 9 }));
        expect(await store.lanes.load(LOBBY)).toMatchObject({ position: rows[1], wakeAt: 9 });
      });

      test('are listed once they have state, with when they want to wake', async () => {
        const { store } = await start();
        await store.journal.append([{ lane: 'daemon', event: said(1) }]);
        await store.lanes.commit(commit({ wakeAt: 7 }));
        await store.lanes.commit(commit({ lane: STAGE }));
        expect(await store.lanes.list()).toEqual([
          { lane: LOBBY, wakeAt: 7 },
          { lane: STAGE, wakeAt: null },
        ]);
      });

      test('are not touched by what the caller changes later', async () => {
        const { store } = await start();
        const members = { ann: 1 };
        await store.lanes.commit(commit({ parts: { members } }));
        members.ann = 2;
        expect((await store.lanes.load(LOBBY))?.parts).toEqual({ members: { ann: 1 } });
      });

      test('a second commit of the same intents makes none of them new', async () => {
        const { store } = await start();
        const intents = [reply(['a']), reply(['b'])];
        const ids = intents.map(({ action }) => action.id);
        expect(await store.lanes.commit(commit({ actions: intents.slice(0, 1) }))).toEqual(ids.slice(0, 1));
        expect(await store.lanes.commit(commit({ actions: intents }))).toEqual(ids.slice(1));
        expect(await store.lanes.commit(commit({ actions: intents }))).toEqual([]);
      });
    });

    describe('actions', () => {
      test('are open in order of intent, from the commit to the outcome', async () => {
        const { store } = await start();
        const [first, second] = [reply(['b']), reply(['a'])];
        await store.lanes.commit(commit({ actions: [first, second] }));
        expect(await store.actions.open()).toEqual([
          { ...first, attempts: 0, markedAt: null },
          { ...second, attempts: 0, markedAt: null },
        ]);
        await store.actions.mark(first.action.id, 2, NOON);
        expect((await store.actions.open())[0]).toEqual({ ...first, attempts: 2, markedAt: NOON });
        const event = settled(first);
        const row = await store.actions.settle(first.action.id, event, LOBBY);
        expect(row).toMatchObject({ lane: LOBBY, event });
        expect(await store.actions.open()).toEqual([{ ...second, attempts: 0, markedAt: null }]);
        expect(await store.actions.find(first.action.id)).toEqual({
          ...first,
          outcome: 'performed',
          detail: 'sent',
        });
        expect(await store.actions.find(second.action.id)).toEqual(second);
        expect(await store.actions.find('unheard')).toBeUndefined();
        expect(await store.journal.undone(10)).toEqual([row]);
      });

      test('that the decision settled itself are never open', async () => {
        const { store } = await start();
        const record = reply(['a']);
        const shadow = { ...record, settled: { outcome: 'shadowed', detail: 'shadow mode' } } as const;
        expect(await store.lanes.commit(commit({ actions: [shadow] }))).toEqual([record.action.id]);
        expect(await store.actions.open()).toEqual([]);
        expect(await store.actions.find(record.action.id)).toEqual({
          ...record,
          outcome: 'shadowed',
          detail: 'shadow mode',
        });
      });

      test('keep their first outcome', async () => {
        const { store } = await start();
        const record = reply(['a']);
        await store.lanes.commit(commit({ actions: [record] }));
        await store.actions.settle(record.action.id, settled(record), LOBBY);
        const again = settled(record, { outcome: 'failed', detail: 'late' });
        expect(await store.actions.settle(record.action.id, again, LOBBY)).toBe('duplicate');
        expect(await store.actions.find(record.action.id)).toMatchObject({ outcome: 'performed' });
        expect(await store.journal.read({ types: ['action.settled'] })).toHaveLength(1);
      });

      test('without an open intent are neither marked nor settled', async () => {
        const { store } = await start();
        const record = reply(['a']);
        await expect(store.actions.mark(record.action.id, 1, NOON)).rejects.toThrow(StoreError);
        await expect(store.actions.settle(record.action.id, settled(record), LOBBY)).rejects.toThrow(
          /no open intent/,
        );
        expect(await store.journal.read({})).toEqual([]);
        await store.lanes.commit(commit({ actions: [record] }));
        await store.actions.settle(record.action.id, settled(record), LOBBY);
        await expect(store.actions.mark(record.action.id, 2, NOON)).rejects.toThrow(/no open intent/);
      });
    });

    test('a write that is refused leaves its neighbours alone', async () => {
      const { store } = await start();
      const results = await Promise.allSettled([
        append(store, 1),
        store.actions.mark('unheard', 1, NOON),
        append(store, 2),
        store.lanes.commit(commit({ parts: { strikes: 1 } })),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      expect(await store.journal.read({})).toHaveLength(2);
      expect((await store.lanes.load(LOBBY))?.parts).toEqual({ strikes: 1 });
    });

    describe('prune', () => {
      const many = async (store: Store, count: number) => {
        const rows = await append(store, ...Array.from({ length: count }, (_, n) => n));
        await store.lanes.commit(commit({ handled: rows.map((row) => (row === 'duplicate' ? 0 : row.seq)) }));
      };

      test('removes what is older than asked, never the newest, and positions go on', async () => {
        const { store, setNow } = await start();
        await many(store, 1200);
        setNow(NOON + 3 * DAY);
        expect(await store.prune({ olderThanMs: 2 * DAY, maxRows: 1e6 })).toEqual({
          events: 1199,
          actions: 0,
        });
        const [left] = await store.journal.read({});
        const [next] = await append(store, 5000);
        expect(next).toMatchObject({ seq: left!.seq + 1 });
        expect(await append(store, 1)).not.toEqual(['duplicate']);
      });

      test('removes what is more than asked, but nothing of the last day', async () => {
        const { store, setNow } = await start();
        await many(store, 100);
        setNow(NOON + DAY / 2);
        expect(await store.prune({ olderThanMs: 0, maxRows: 10 })).toEqual({ events: 0, actions: 0 });
        setNow(NOON + 2 * DAY);
        expect(await store.prune({ olderThanMs: 9 * DAY, maxRows: 10 })).toEqual({ events: 90, actions: 0 });
      });

      test('spares what is undone, what an open action names, and open actions', async () => {
        const { store, setNow } = await start();
        const [done, needed, undone] = await append(store, 1, 2, 3, 4);
        const [open, closed] = [reply([said(2).id]), reply([said(1).id])];
        const handled = [done, needed].map((row) => (row === 'duplicate' ? 0 : row!.seq));
        await store.lanes.commit(commit({ handled, actions: [open, closed] }));
        await store.actions.settle(closed.action.id, settled(closed), LOBBY);
        setNow(NOON + 9 * DAY);
        expect(await store.prune({ olderThanMs: 0, maxRows: 0 })).toMatchObject({ events: 1 });
        expect((await store.journal.read({ limit: 2 })).map((row) => row)).toEqual([needed, undone]);
        expect(await store.actions.open()).toHaveLength(1);
      });

      test('forgets lanes to which nothing comes back, with the last of their events', async () => {
        const { store, setNow } = await start();
        const place = (open: boolean) => ({
          'place/': { kind: 'room', id: 'x', open },
          'memory/a': { value: 1 },
        });
        const lanes = [
          ['stream:adrift', {}, null],
          ['stream:waiting', {}, NOON + DAY],
          ['room:closed', place(false), null],
          ['room:closed-with-a-deed', place(false), null],
          ['room:open', place(true), null],
        ] as const;
        const record = reply(['a']);
        for (const [index, [lane, parts, wakeAt]] of lanes.entries()) {
          const [row] = await store.journal.append([{ lane, event: said(index) }]);
          const actions = lane === 'room:closed-with-a-deed' ? [{ ...record, lane }] : [];
          const handled = row === undefined || row === 'duplicate' ? [] : [row.seq];
          await store.lanes.commit({ lane, handled, parts, wakeAt, actions });
        }
        const named = async () => (await store.lanes.list()).map(({ lane }) => lane).toSorted();
        await many(store, 1);
        expect(await store.prune({ olderThanMs: 2 * DAY, maxRows: 1e6 })).toMatchObject({ events: 0 });
        expect(await named()).toHaveLength(6);
        setNow(NOON + 3 * DAY);
        await many(store, 10);
        await store.prune({ olderThanMs: 2 * DAY, maxRows: 1e6 });
        expect(await named()).toEqual(
          [LOBBY, 'room:closed-with-a-deed', 'room:open', 'stream:waiting'].toSorted(),
        );
        expect(await store.lanes.load('room:closed')).toBeUndefined();
        expect((await store.lanes.load('room:open'))?.parts).toEqual(place(true));
        // A late word to it is one to a new lane.
        await store.lanes.commit({ lane: 'room:closed', handled: [], parts: {}, wakeAt: null, actions: [] });
        expect((await store.lanes.load('room:closed'))?.parts).toEqual({});
      });

      test('forgets settled actions of that age', async () => {
        const { store, setNow } = await start();
        const record = reply(['a']);
        setNow(NOON);
        await store.lanes.commit(commit({ actions: [record] }));
        await store.actions.settle(record.action.id, settled(record), LOBBY);
        setNow(NOON + 2 * DAY);
        expect(await store.prune({ olderThanMs: 3 * DAY, maxRows: 1e6 })).toMatchObject({ actions: 0 });
        expect(await store.prune({ olderThanMs: DAY, maxRows: 1e6 })).toMatchObject({ actions: 1 });
        expect(await store.actions.find(record.action.id)).toBeUndefined();
      });
    });

    test('closed, it says so to everybody and finishes what it was asked before', async () => {
      const { store } = await start();
      expect(store.readiness.reason()).toBeUndefined();
      const last = append(store, 1);
      const closing = store.close();
      await expect(append(store, 2)).rejects.toThrow(StoreError);
      await expect(last).resolves.toHaveLength(1);
      await closing;
      await store.close();
      expect(store.readiness.reason()).toMatch(/closed/);
    });
  });
}
