import { expect, test } from 'vitest';
import type { ActionId } from '../../src/domain/ids.ts';
import { done } from '../../src/egress/fate.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { action, intend } from './actions.ts';
import { runLives } from './lives.ts';
import { suffer, type RequestFate } from './request-fate.ts';
import { virtualClock } from './virtual-clock.ts';

const PLACES = 100;
const EACH = 10;
const FATES = ['ok', 'lost answer', 'ok', 'refused', 'late landing', 'ok', 'lost request'] as const;

/** Of the n-th request: every seventh of a kind, none like the other in time. */
const fateOf = (nth: number): RequestFate => ({
  fate: FATES[nth % FATES.length] ?? 'ok',
  takesMs: (nth * 7_919) % 15_000,
});

test('a thousand at once, three crashes and a disk that is full for a minute: each happens once, in order', async () => {
  const clock = virtualClock(undefined, 1);
  const store = memoryStore({ now: () => clock.now() });
  const landed: ActionId[] = [];
  let requests = 0;
  let under = 0;
  let most = 0;
  clock.after(21_000, () => store.failWith('disk full'));
  clock.after(81_000, () => store.failWith(undefined));
  await runLives({
    clock,
    store,
    lives: [1_500, 40_000, 60_000],
    perform: ({ id }) => ({
      repeatable: false,
      about: 'same',
      freshForMs: 24 * 3_600_000,
      asksPlatform: true,
      async call({ signal }) {
        under += 1;
        most = Math.max(most, under);
        const { heard } = await suffer(fateOf((requests += 1)), clock, signal, () => landed.push(id));
        under -= 1;
        if (heard === 'answer') return done('did it');
        return heard === 'refusal'
          ? { kind: 'again', reason: 'rate-limited', limited: true }
          : { kind: 'doubt', reason: 'reset' };
      },
      readBack: () => Promise.resolve(landed.includes(id) ? done('found') : { kind: 'absent' }),
    }),
    async intend(outbox) {
      for (let place = 0; place < PLACES; place += 1) {
        const actions = Array.from({ length: EACH }, (_, nth) => action('message.send', `${place}.${nth}`));
        outbox.enqueue(await intend(store.lanes, `room:${place}`, ...actions));
      }
    },
  });
  expect(landed).toHaveLength(PLACES * EACH);
  for (let place = 0; place < PLACES; place += 1) {
    const ofPlace = landed.filter((id) => id.startsWith(`${place}.`));
    expect(ofPlace).toEqual(Array.from({ length: EACH }, (_, nth) => `${place}.${nth}`));
  }
  expect(requests).toBeGreaterThan(PLACES * EACH);
  // A life has 64 places at work; what the dead ones sent hangs until nobody waits.
  expect(most).toBeLessThanOrEqual(4 * 64);
});
