import { expect, test } from 'vitest';
import { withId } from '../../src/domain/event-id.ts';
import type { RoomClosed, UsherEvent } from '../../src/domain/event.ts';
import { createPlacePolls } from '../../src/ingress/place-polls.ts';
import { createStrideScheduler, type PollEntry } from '../../src/ingress/stride-scheduler.ts';
import { reply } from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { ends, joined, member, opened, publishes, room, says } from './facts.ts';
import { heapInUse } from './heap.ts';
import { stage } from './stage.ts';
import { rest, START } from './virtual-clock.ts';

const MB = 1024 * 1024;
const ROOMS = 10_000;
const house = bot([
  bind(
    rule('answer', ['message.posted'], (event, { remember }) => {
      if (event.type !== 'message.posted') return [];
      remember.set('last', event.text, { forMs: 60_000 });
      return event.text === 'never' ? [reply(event, 'no')] : [];
    }),
  ),
]);

/** The whole life of a room. */
const life = (id: string): readonly UsherEvent[] => {
  const place = room(id);
  const [ann, stream] = [`ann-${id}`, `stream-${id}`];
  return [
    opened(place),
    joined(member(ann), 0, { place }),
    publishes(ann, stream, 1, { tags: [`roomId:${id}`] }),
    says(ann, 'hello', 2, { place }),
    ends(stream, 3, { tags: [`roomId:${id}`] }),
    withId<RoomClosed>({
      type: 'room.closed',
      at: START + 4,
      seenAt: START + 4,
      source: 'poll',
      place,
      facts: { ...place, alias: `alias-${id}`, name: id },
    }),
  ];
};

test(
  'rooms that came and went leave next to nothing in memory, nor do streams of no place',
  { timeout: 90_000 },
  async () => {
    // What a store has on its disk is none of the engine's memory.
    let seq = 0;
    const one = await stage([house], {
      journal: {
        append: async (rows) => rows.map(({ lane, event }) => ({ seq: (seq += 1), lane, event })),
        undone: async () => [],
        read: async () => [],
        find: async () => undefined,
      },
      lanes: {
        load: async () => undefined,
        commit: async ({ actions }) => actions.map(({ action }) => action.id),
        list: async () => [],
      },
    });
    const come = async (from: number, to: number): Promise<void> => {
      for (let index = from; index < to; index += 1) {
        await one.engine.accept(life(`r${index}`));
        if (index % 100 === 0) await rest();
        await one.engine.accept([publishes('nobody', `adrift-${index}`, 0, { tags: [] })]);
      }
      // Twice the time after which what is not used is given up.
      await one.clock.advance(600_001);
    };
    await come(0, 500);
    const before = heapInUse();
    await come(500, 500 + ROOMS);
    expect(one.engine.stats()).toMatchObject({ undone: 0, places: 0, lanes: 0 });
    // The name of each lane is kept, so that the store need not be asked for those that it never had.
    expect((heapInUse() - before) / (2 * ROOMS)).toBeLessThan(400);
    expect(heapInUse() - before).toBeLessThan(8 * MB);
  },
);

test('closed places are polled no more and leave the plan', { timeout: 60_000 }, async () => {
  const scheduler = createStrideScheduler<string>({ rate: () => 20, random: () => 0.5 });
  const entries = new Map<string, PollEntry<string>>();
  const places = createPlacePolls({
    intake: { accept: async (events) => events.map(() => 'new') },
    clock: { now: () => START, monotonic: () => 0, after: () => () => {} },
    opened: ({ id }) => entries.set(id, scheduler.add(id, { minMs: 1_000, maxMs: 10_000 })),
    closed({ id }) {
      const entry = entries.get(id);
      if (entry) scheduler.remove(entry);
      entries.delete(id);
    },
    missing() {},
  });
  const list = { kind: 'room', type: 'MultiPartyChat' } as const;
  const before = heapInUse();
  for (let turn = 0; turn < 10; turn += 1) {
    const listed = Array.from({ length: ROOMS / 10 }, (_, index) => ({
      kind: 'room' as const,
      id: `r${turn}-${index}`,
      alias: '',
      name: '',
      type: 'MultiPartyChat' as const,
    }));
    await places.compare(list, listed, START + 2 * turn);
    await places.compare(list, [], START + 2 * turn + 1);
    await places.compare(list, [], START + 2 * turn + 1);
  }
  expect(places.size).toBe(0);
  expect(scheduler.size).toBe(0);
  expect(heapInUse() - before).toBeLessThan(2 * MB);
});
