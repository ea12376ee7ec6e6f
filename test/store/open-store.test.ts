import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { buildWorker } from './built-worker.ts';
import { storeContract } from './contract.ts';
import { testClock } from './test-clock.ts';

let worker: Awaited<ReturnType<typeof buildWorker>>;
beforeAll(async () => {
  worker = await buildWorker();
});
afterAll(() => worker.remove());

for (const thread of ['same', 'worker'] as const) {
  storeContract(`the SQLite store, ${thread} thread`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'usher-store-'));
    const clock = testClock();
    const store = await openStore({
      path: join(directory, 'usher.db'),
      clock,
      thread,
      workerFile: worker.file,
    });
    const end = async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    };
    return { store, setNow: clock.set, end };
  });
}
