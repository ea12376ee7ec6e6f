/** A program that writes whole cycles, many at a time, and prints the number of each that the store acknowledged. */
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openStore } from '../../src/store/open-store.ts';
import { LOBBY, reply, said, settled } from './samples.ts';
import { testClock } from './test-clock.ts';

const [path = '', thread, workerFile = ''] = process.argv.slice(2);
const store = await openStore({
  path,
  clock: testClock(),
  thread: thread === 'worker' ? 'worker' : 'same',
  workerFile: pathToFileURL(workerFile),
});
let next = 0;
let count = 0;
const line = async (): Promise<void> => {
  for (;;) {
    next += 1;
    const n = next;
    const [row] = await store.journal.append([{ lane: LOBBY, event: said(n) }]);
    if (!row || row === 'duplicate') throw new Error('each event is new');
    const record = reply([said(n).id]);
    count += 1;
    await store.lanes.commit({
      lane: LOBBY,
      handled: [row.seq],
      parts: { count },
      wakeAt: null,
      actions: [record],
    });
    await store.actions.settle(record.action.id, settled(record), LOBBY);
    writeSync(1, `${n}\n`);
  }
};
await Promise.all(Array.from({ length: 32 }, line));
