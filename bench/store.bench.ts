import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { actionId } from '../src/domain/action-id.ts';
import type { Action } from '../src/domain/action.ts';
import { withId } from '../src/domain/event-id.ts';
import type { ActionSettled, MessagePosted } from '../src/domain/event.ts';
import type { LaneKey } from '../src/domain/lane-key.ts';
import type { ActionRecord, Clock } from '../src/engine/ports.ts';
import { openKernel } from '../src/store/kernel.ts';
import { openStore } from '../src/store/open-store.ts';
import { eventRow } from '../src/store/rows.ts';
import { openDatabase } from '../src/store/sqlite-driver.ts';
import type { Store } from '../src/store/store.ts';
import { buildWorker } from '../test/store/built-worker.ts';
import type { Row } from './row.ts';

const IN_FLIGHT = 64;
const LANES_AT_ONCE = 256;
const ROOMS = 100;
const APPENDS = 64 * 50;
const SINGLES = 100;
const CYCLES = 256 * 10;
const ROUNDS = 24;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: () => () => undefined,
};
let serial = 0;

/** An event whose JSON is 500 bytes. */
function message(room: number): MessagePosted {
  serial += 1;
  const event = withId<MessagePosted>({
    type: 'message.posted',
    at: 1_767_000_000_000 + serial,
    seenAt: 1_767_000_000_000 + serial,
    source: 'poll',
    place: { kind: 'room', id: `us-northeast#demo.room${room}` },
    messageId: `room${room}|m|${String(serial).padStart(9, '0')}`,
    author: { key: 'session:s1', screenName: 'Ann', standing: 'verified', claimedRole: 'Audience' },
    text: '',
    mimeType: 'text/plain',
    tags: [],
  });
  return { ...event, text: 'x'.repeat(500 - JSON.stringify(event).length) };
}

/** Does `work` so often, so many at a time; the result is per second. */
async function rate(times: number, inFlight: number, work: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = performance.now();
  const line = async (): Promise<void> => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, line));
  return (times * 1000) / (performance.now() - started);
}

/** A table with a unique id, events inserted `group` a transaction, and nothing around it. Per second. */
function bareSqlite(path: string) {
  const db = openDatabase(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  db.exec(
    'CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, lane TEXT, type TEXT, at INTEGER, body TEXT)',
  );
  const insertOne = db.prepare('INSERT INTO events (id, lane, type, at, body) VALUES (?, ?, ?, ?, ?)');
  const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')];
  return {
    close: () => db.close(),
    insert(events: readonly MessagePosted[], group: number): number {
      const started = performance.now();
      for (let from = 0; from < events.length; from += group) {
        begin.run();
        for (const event of events.slice(from, from + group)) {
          insertOne.run(event.id, `room:${event.place.id}`, event.type, event.at, JSON.stringify(event));
        }
        commit.run();
      }
      return (events.length * 1000) / (performance.now() - started);
    },
  };
}

/** The store's own tables without the rest of it, one transaction for each event. */
function oneByOne(path: string) {
  const kernel = openKernel(path);
  return {
    close: () => kernel.close(),
    insert(events: readonly MessagePosted[]): number {
      const started = performance.now();
      for (const event of events) {
        kernel.run([['append', [eventRow(`room:${event.place.id}`, event)]]]);
      }
      return (events.length * 1000) / (performance.now() - started);
    },
  };
}

interface Cycle {
  readonly event: MessagePosted;
  readonly record: ActionRecord;
  readonly outcome: ActionSettled;
}

/** What one cycle writes, made beforehand: the making is not the store's. */
function prepareCycle(room: number): Cycle {
  const event = message(room);
  const lane: LaneKey = `room:${event.place.id}`;
  const because = [event.id];
  const action: Action<'message.send'> = {
    type: 'message.send',
    id: actionId({ bot: 'house', rule: 'greet', because, ordinal: 0 }),
    place: event.place,
    text: 'Please be kind to each other.',
    tags: [],
    bot: 'house',
    rule: 'greet',
    because,
    guarantee: 'exact',
    as: { screenName: 'House', role: 'Moderator' },
    decidedAt: event.at,
  };
  const outcome = withId<ActionSettled>({
    type: 'action.settled',
    at: event.at,
    seenAt: event.at,
    source: 'outcome',
    place: event.place,
    causedBy: action.id,
    action: action.id,
    actionType: action.type,
    bot: 'house',
    rule: 'greet',
    outcome: 'performed',
    detail: 'sent',
    result: { messageId: event.messageId },
  });
  return { event, record: { action, lane, mode: 'enforce' }, outcome };
}

/** An event, then its lane's state and an intent in one write, then the outcome. */
async function cycle(store: Store, { event, record, outcome }: Cycle): Promise<void> {
  const { lane } = record;
  const [row] = await store.journal.append([{ lane, event }]);
  if (row === undefined || row === 'duplicate') throw new Error('each event is new');
  await store.lanes.commit({
    lane,
    handled: [row.seq],
    parts: { messages: [{ id: event.messageId, at: event.at, author: event.author.key }] },
    wakeAt: null,
    actions: [record],
  });
  await store.actions.settle(record.action.id, outcome, lane);
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const median = (values: readonly number[]): number => sorted(values)[values.length >> 1] ?? 0;

/** Durable appends and whole cycles on one store, slice by slice. */
function measured(store: Store) {
  const appends: number[] = [];
  const ofGrouped: number[] = [];
  const ofSingle: number[] = [];
  const cycles: number[] = [];
  const cpu: number[] = [];
  return {
    async append(grouped: number, single: number): Promise<void> {
      const mine = events(APPENDS);
      const perSecond = await rate(APPENDS, IN_FLIGHT, (n) =>
        store.journal.append([{ lane: `room:us-northeast#demo.room${n % ROOMS}`, event: mine[n]! }]),
      );
      appends.push(perSecond);
      ofGrouped.push(perSecond / grouped);
      ofSingle.push(perSecond / single);
    },
    async cycle(): Promise<void> {
      const mine = Array.from({ length: CYCLES }, (_, n) => prepareCycle(n % ROOMS));
      const before = process.cpuUsage();
      cycles.push(await rate(CYCLES, LANES_AT_ONCE, (n) => cycle(store, mine[n]!)));
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / CYCLES);
    },
    figures(thread: string): Row[] {
      const figure = (name: string, value: number, unit: string, target: string, ok: boolean): Row => ({
        name: `store, ${thread} thread: ${name}`,
        value,
        unit,
        target,
        ok,
      });
      const [grouped, single] = [median(ofGrouped), median(ofSingle)];
      const [perSecond, micros] = [Math.max(...cycles), Math.min(...cpu)];
      return [
        figure('durable appends, 64 in flight', Math.max(...appends), '/s', '-', true),
        figure('… of bare grouped inserts', grouped, '×', '>= 0.8', grouped >= 0.8),
        figure('… of one transaction each', single, '×', '>= 8', single >= 8),
        figure('whole cycles', perSecond, '/s', '>= 10000', perSecond >= 10_000),
        figure('CPU of a whole cycle', micros, 'µs', '< 70', micros < 70),
      ];
    },
  };
}

const events = (count: number): MessagePosted[] =>
  Array.from({ length: count }, (_, n) => message(n % ROOMS));

/**
 * Every contender does a short slice in turn, over and over, in one process: what else the machine does hits all alike.
 * Of ratios the middle slice stands; of absolute figures the best, because others on the machine only ever worsen them.
 */
export async function run(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'usher-bench-'));
  const sources = pathToFileURL(process.env.USHER_BENCH_FOLDER ?? `${import.meta.dirname}/`);
  const worker = await buildWorker(new URL('../src/store/store-worker.ts', sources));
  const open = (thread: 'same' | 'worker') =>
    openStore({ path: join(directory, `${thread}.db`), clock, thread, workerFile: worker.file });
  const stores = { worker: await open('worker'), same: await open('same') };
  const grouped = bareSqlite(join(directory, 'grouped.db'));
  const single = oneByOne(join(directory, 'single.db'));
  try {
    const contenders = { worker: measured(stores.worker), same: measured(stores.same) };
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = single.insert(events(SINGLES));
      for (const contender of Object.values(contenders)) {
        await contender.append(grouped.insert(events(APPENDS), IN_FLIGHT), alone);
        await contender.cycle();
      }
    }
    return Object.entries(contenders).flatMap(([thread, contender]) => contender.figures(thread));
  } finally {
    await Promise.all(Object.values(stores).map((store) => store.close()));
    grouped.close();
    single.close();
    worker.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}
