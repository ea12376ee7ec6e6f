/**
 * A disk that takes 10 ms for each sync, under writes that never stop: how much later than due the event loop comes
 * round, with the store in its own thread, and beside it on the same thread.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withId } from '../src/domain/event-id.ts';
import type { MessagePosted } from '../src/domain/event.ts';
import type { Clock } from '../src/engine/ports.ts';
import { openStore } from '../src/store/open-store.ts';
import { openDatabase } from '../src/store/sqlite-driver.ts';
import type { Store } from '../src/store/store.ts';
import { buildWorker } from '../test/store/built-worker.ts';
import { slowed } from '../test/store/slowed.ts';
import type { Row } from './row.ts';

const SYNC_MS = 10;
const IN_FLIGHT = 64;
const SECONDS = 4;
/** The monitor looks this often, and counts the time between two looks. */
const LOOK_MS = 1;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: () => () => undefined,
};
let serial = 0;

const message = (): MessagePosted => {
  serial += 1;
  return withId<MessagePosted>({
    type: 'message.posted',
    at: 1_767_000_000_000 + serial,
    seenAt: 1_767_000_000_000 + serial,
    source: 'webhook',
    place: { kind: 'room', id: 'us-northeast#demo.lobby' },
    messageId: `lobby|m|${serial}`,
    author: { key: 'session:s1', screenName: 'Ann', standing: 'anonymous', claimedRole: 'Audience' },
    text: 'x'.repeat(200),
    mimeType: 'text/plain',
    tags: [],
  });
};

/** Mean delay of the event loop in ms, and syncs a second, while writes are always waiting. */
async function delayed(store: Store): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: LOOK_MS });
  const until = performance.now() + SECONDS * 1_000;
  const line = async (): Promise<void> => {
    while (performance.now() < until)
      await store.journal.append([{ lane: 'room:us-northeast#demo.lobby', event: message() }]);
  };
  monitor.enable();
  await Promise.all(Array.from({ length: IN_FLIGHT }, line));
  monitor.disable();
  return monitor.mean / 1e6 - LOOK_MS;
}

export async function run(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'usher-slow-'));
  const sources = pathToFileURL(process.env.USHER_BENCH_FOLDER ?? `${import.meta.dirname}/`);
  const worker = await buildWorker(new URL('../src/store/store-worker.ts', sources), SYNC_MS);
  const [own, same] = [join(directory, 'own.db'), join(directory, 'same.db')];
  const stores = {
    own: await openStore({ path: own, clock, thread: 'worker', workerFile: worker.file }),
    same: await openStore({
      path: same,
      clock,
      thread: 'same',
      kernel: { open: (path, options) => slowed(openDatabase(path, options), SYNC_MS) },
    }),
  };
  try {
    const [apart, together] = [await delayed(stores.own), await delayed(stores.same)];
    const what = `a sync of ${SYNC_MS} ms delays the event loop by, mean`;
    return [
      { name: `store, worker thread: ${what}`, value: apart, unit: 'ms', target: '< 3', ok: apart < 3 },
      { name: `store, same thread: ${what}`, value: together, unit: 'ms', target: '-', ok: true },
    ];
  } finally {
    await Promise.all(Object.values(stores).map((store) => store.close()));
    worker.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}
