/** A program that opens the store, writes one event, says so, and holds it until it is killed. */
import { writeSync } from 'node:fs';
import { openStore } from '../../src/store/open-store.ts';
import { LOBBY, said } from './samples.ts';
import { testClock } from './test-clock.ts';

const store = await openStore({ path: process.argv[2] ?? '', clock: testClock(), thread: 'same' });
await store.journal.append([{ lane: LOBBY, event: said(1) }]);
writeSync(1, 'held\n');
setInterval(() => store.readiness.reason(), 1_000);
