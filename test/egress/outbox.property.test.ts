import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActionId } from '../../src/domain/ids.ts';
import { done } from '../../src/egress/fate.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { action, intend } from './actions.ts';
import { runLives } from './lives.ts';
import { lifetimes, requestFate, suffer } from './request-fate.ts';
import { virtualClock } from './virtual-clock.ts';

const plan = fc.record({
  actions: fc.array(
    fc.record({
      place: fc.constantFrom('a', 'b'),
      repeatable: fc.boolean(),
      attempts: fc.array(requestFate, { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  lives: lifetimes,
});

/** Runs the plan to its end; gives what reached the platform, in order. */
async function run({ actions, lives }: typeof plan extends fc.Arbitrary<infer T> ? T : never) {
  const clock = virtualClock();
  const store = memoryStore({ now: () => clock.now() });
  const landed: ActionId[] = [];
  const attempts = new Map(actions.map((one, i) => [`op${i}`, [...one.attempts]]));
  await runLives({
    clock,
    store,
    lives,
    perform: ({ id }) => ({
      repeatable: actions[Number(id.slice(2))]?.repeatable ?? false,
      about: 'same',
      freshForMs: 24 * 3_600_000,
      asksPlatform: false,
      async call({ signal }) {
        const fate = attempts.get(id)?.shift() ?? { fate: 'ok', takesMs: 5 };
        const { heard } = await suffer(fate, clock, signal, () => landed.push(id));
        if (heard === 'answer') return done('did it');
        return heard === 'refusal'
          ? { kind: 'again', reason: 'rate-limited', limited: true }
          : { kind: 'doubt', reason: 'reset' };
      },
      readBack: () => Promise.resolve(landed.includes(id) ? done('found') : { kind: 'absent' }),
    }),
    async intend(outbox) {
      for (const [i, one] of actions.entries())
        outbox.enqueue(await intend(store.lanes, `room:${one.place}`, action('message.send', `op${i}`)));
    },
  });
  return landed;
}

test('nothing is lost, and nothing unrepeatable is done twice, whatever becomes of requests and processes', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const landed = await run(given);
      for (const [i, { repeatable }] of given.actions.entries()) {
        const times = landed.filter((id) => id === `op${i}`).length;
        expect(repeatable ? Math.min(times, 1) : times).toBe(1);
      }
    }),
    { numRuns: 150 },
  );
});

test('what concerns the same thing in one place lands in the order of the intents', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const landed = await run(given);
      for (const place of ['a', 'b']) {
        const expected = given.actions.flatMap((one, i) => (one.place === place ? [`op${i}`] : []));
        const first = [...new Set(landed)].filter((id) => expected.includes(id));
        expect(first).toEqual(expected);
      }
    }),
    { numRuns: 100 },
  );
});
