import { expect, test } from 'vitest';
import { memoryStore } from '../../src/store/memory-store.ts';
import { storeContract } from './contract.ts';
import { LOBBY, NOON, said } from './samples.ts';

storeContract('the memory store', async () => {
  let now = NOON;
  const store = memoryStore({ now: () => now });
  return { store, setNow: (to) => (now = to), end: () => store.close() };
});

test('refuses writes with the reason that a test gives, and goes on without it', async () => {
  const store = memoryStore();
  const write = () => store.journal.append([{ lane: LOBBY, event: said(1) }]);
  store.failWith('no room');
  await expect(write()).rejects.toThrow('no room');
  expect(store.readiness.reason()).toBe('no room');
  store.failWith(undefined);
  await expect(write()).resolves.toHaveLength(1);
});
