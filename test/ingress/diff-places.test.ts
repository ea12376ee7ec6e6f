import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlaceFacts } from '../../src/domain/place.ts';
import { diffPlaces } from '../../src/ingress/diff-places.ts';

const room = (id: string): PlaceFacts => ({ kind: 'room', id, alias: '', name: id, type: 'TownHall' });
const rooms = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')).map((ids) => ids.map(room));
const ids = (places: readonly PlaceFacts[]) => places.map(({ id }) => id).toSorted();

test('opened, closed and missing rooms together turn what is known into the list', () => {
  fc.assert(
    fc.property(rooms, rooms, fc.subarray(['a', 'b', 'c', 'd']), (known, listed, doubts) => {
      const doubted = ({ id }: PlaceFacts) => doubts.includes(id);
      const { opened, closed, missing } = diffPlaces({
        known,
        listed,
        requestedAt: 10,
        learntAt: () => 9,
        doubted,
      });
      const rest = known.filter((place) => !closed.includes(place) && !missing.includes(place));
      expect(ids([...rest, ...opened])).toEqual(ids(listed));
      expect(closed.every(doubted)).toBe(true);
      expect(missing.some(doubted)).toBe(false);
    }),
  );
});

test('a list that was asked for before a room was known cannot deny it', () => {
  const asked = { known: [room('a')], listed: [], requestedAt: 10, doubted: () => true };
  expect(diffPlaces({ ...asked, learntAt: () => 10 }).closed).toEqual([]);
  expect(ids(diffPlaces({ ...asked, learntAt: () => 9 }).closed)).toEqual(['a']);
});
