import { expect, test } from 'vitest';
import { IdentityIndex } from '../../src/engine/identity-index.ts';
import { LaneState } from '../../src/engine/lane-state.ts';
import { publishes } from './facts.ts';

const room = (id: string, open: boolean): LaneState => {
  const state = new LaneState(`room:${id}`);
  state.listed({ kind: 'room', id, alias: 'studio', name: 'studio', open });
  return state;
};

test.each([
  ['the old one first', [room('old', false), room('new', true)]],
  ['the new one first', [room('new', true), room('old', false)]],
])('an alias belongs to the room that is open: %s', (_, states) => {
  const index = new IdentityIndex();
  index.relearn(states);
  expect(index.laneOf(publishes('ann', 's1', 0, { tags: ['roomAlias:studio'] }))).toBe('room:new');
});
