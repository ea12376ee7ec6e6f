import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessagePosted } from '../../src/domain/event.ts';
import { placeKey } from '../../src/domain/place.ts';
import { done, type Fate } from '../../src/egress/fate.ts';
import { reply } from '../../src/plugin/index.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { virtualClock, type VirtualClock } from '../ingress/virtual-clock.ts';
import { bind, bot, rule } from './bots.ts';
import { room, says } from './facts.ts';
import { slowStore } from './slow-store.ts';
import { workingRing } from './working-ring.ts';

const after = (clock: VirtualClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
const never = new Promise<never>(() => {});
const said = (place: string, index: number, at = 0): MessagePosted =>
  says(`${place}-${index}`, String(index), at, { place: room(place) });

/** Answers each message in its place, and writes down what it saw. */
const answering = (saw: (event: MessagePosted) => void = () => {}) =>
  bot([
    bind(
      rule('answer', ['message.posted'], (event) => {
        if (event.type !== 'message.posted') return [];
        saw(event);
        return [reply(event, event.text)];
      }),
    ),
  ]);

describe('within a place', () => {
  test('rules see events in the order of the journal, and requests leave in the order of intents', async () => {
    const arrival = fc.record({ place: fc.nat(3), afterMs: fc.constantFrom(0, 0, 1, 40, 500) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(arrival, { minLength: 5, maxLength: 60 }),
        fc.array(fc.constantFrom(0, 0, 1, 5, 80), { minLength: 8, maxLength: 8 }),
        fc.array(fc.constantFrom(0, 3, 200, 4_000, -1), { minLength: 8, maxLength: 8 }),
        async (arrivals, disk, platform) => {
          const clock = virtualClock();
          let [turns, calls] = [0, 0];
          const store = slowStore(clock, () => disk[(turns += 1) % disk.length] ?? 0);
          const saw: string[] = [];
          const ring = await workingRing([answering(({ id }) => saw.push(id))], {
            clock,
            store,
            // Slow, quick, or for now not at all.
            answer: async (): Promise<Fate> => {
              const ms = platform[(calls += 1) % platform.length] ?? 0;
              if (ms < 0 && calls < 200) return { kind: 'again', reason: 'busy', limited: false };
              if (ms > 0) await after(clock, ms);
              return done('did it');
            },
          });
          const accepted: Promise<unknown>[] = [];
          for (const [index, { place, afterMs }] of arrivals.entries()) {
            accepted.push(ring.engine.accept([said(`p${place}`, index)]));
            if (afterMs > 0) await clock.advance(afterMs);
          }
          await clock.advance(3_600_000);
          await Promise.all(accepted);

          const rows = (await store.journal.read({})).filter(({ event }) => event.type === 'message.posted');
          expect(saw).toHaveLength(arrivals.length);
          for (const lane of new Set(rows.map((row) => row.lane))) {
            const journaled = rows.filter((row) => row.lane === lane).map(({ event }) => event.id);
            expect(saw.filter((id) => journaled.includes(id))).toEqual(journaled);
            const left = ring.sent.filter(({ action }) => action.place && placeKey(action.place) === lane);
            const places = left.map(({ action }) => journaled.indexOf(action.because[0] ?? ''));
            // A request that was refused for now leaves again before the next one does.
            expect(places).toEqual(places.toSorted((a, b) => a - b));
            expect(new Set(places).size).toBe(journaled.length);
          }
          expect(ring.settled.filter(({ outcome }) => outcome === 'performed')).toHaveLength(arrivals.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('across places', () => {
  test.each([1, 64, 200])('%d places whose calls hang delay no other', async (hanging) => {
    const clock = virtualClock();
    const ring = await workingRing([answering()], {
      clock,
      store: memoryStore({ now: () => clock.now() }),
      answer: ({ place }) => (place?.id.startsWith('hangs') ? never : Promise.resolve(done('did it'))),
    });
    for (let index = 0; index < hanging; index += 1) {
      for (const nth of [1, 2, 3]) await ring.engine.accept([said(`hangs-${index}`, nth)]);
    }
    await clock.advance(0);
    const asked: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      asked.push(clock.monotonic());
      await ring.engine.accept([said(`well-${index % 5}`, index)]);
      await clock.advance(100);
    }
    // The first ones share the slots with those who have not been found to hang yet.
    await clock.advance(1_000 * Math.ceil(hanging / 64));
    const well = ring.sent.filter(({ action }) => action.place?.id.startsWith('well'));
    expect(well).toHaveLength(50);
    expect(Math.max(...well.slice(-10).map(({ at }, index) => at - (asked[40 + index] ?? 0)))).toBe(0);
  });

  test('a place whose rule is slow has its slice, and the others go in between', async () => {
    const clock = virtualClock();
    let spent = 0;
    const slow = { ...clock, monotonic: () => clock.monotonic() + spent };
    const order: string[] = [];
    const ring = await workingRing(
      [
        answering(({ place, text }) => {
          order.push(`${place.id} ${text}`);
          if (place.id === 'slow') spent += 4;
        }),
      ],
      { clock: slow, store: memoryStore({ now: () => clock.now() }) },
    );
    const slowOnes = Array.from({ length: 500 }, (_, index) => said('slow', index));
    let turns = 0;
    const look = (): void => {
      turns += 1;
      if (order.length < 510) setImmediate(look);
    };
    await ring.engine.accept(slowOnes.slice(0, 1));
    const flood = ring.engine.accept(slowOnes.slice(1));
    const others = Promise.all(
      Array.from({ length: 10 }, (_, index) => ring.engine.accept([said(`other-${index}`, index)])),
    );
    setImmediate(look);
    await Promise.all([flood, others]);
    while (order.length < 510) await clock.advance(1);
    const slowly = order.filter((line) => line.startsWith('slow'));
    expect(slowly).toEqual(slowOnes.map(({ text }) => `slow ${text}`));
    const last = order.findLastIndex((line) => line.startsWith('other'));
    expect(order.slice(0, last).filter((line) => line.startsWith('slow')).length).toBeLessThan(30);
    // 500 times 4 ms, and the event loop had its turn each 20 ms or so.
    expect(turns).toBeGreaterThan(50);
  });
});
