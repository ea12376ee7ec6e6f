import { expect, test } from 'vitest';
import { LaneState } from '../../src/engine/lane-state.ts';
import { MemoryParts } from '../../src/engine/memory-parts.ts';
import { START } from './virtual-clock.ts';

const record = (value: string, until = START) => ({ value, until });

test('the sum of a rule is that of its entries, through changes, deletions and a restart', () => {
  const changes = { parts: {} };
  const memory = new MemoryParts(changes);
  memory.set('enforce/house/one/a', record('x'.repeat(100)));
  const [one] = [...memory.sums.values()];
  memory.set('enforce/house/one/b', record('x'.repeat(50)));
  memory.set('enforce/house/two/a', record(''));
  memory.set('enforce/house/one/b', record('x'.repeat(100)));
  expect(memory.sums.get('enforce/house/one')).toBe(2 * (one ?? 0));
  const restored = new MemoryParts({ parts: {} });
  for (const [key, value] of memory) restored.restore(key, { ...value });
  expect(restored.sums).toEqual(memory.sums);
  for (const key of memory.keys()) memory.delete(key);
  expect(memory.delete('enforce/house/never/there')).toBe(false);
  expect(memory.sums.size).toBe(0);
});

test('what has expired is forgotten, and weighs nothing any more', () => {
  const state = new LaneState('room:r1');
  state.time = START;
  state.memory.set('enforce/house/one/a', record('x', START + 1_000));
  state.memory.set('enforce/house/one/b', record('x', START + 10_000_000));
  state.time = START + 2_000_000;
  state.sweep();
  expect([...state.memory.keys()]).toEqual(['enforce/house/one/b']);
  expect([...state.memory.sums.keys()]).toEqual(['enforce/house/one']);
});
