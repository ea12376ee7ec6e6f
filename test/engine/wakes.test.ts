import { describe, expect, test } from 'vitest';
import { Wakes } from '../../src/engine/wakes.ts';
import { virtualClock } from '../ingress/virtual-clock.ts';

const HOUR = 3_600_000;

function wakes() {
  const clock = virtualClock();
  let ahead = 0;
  const woken: string[] = [];
  const made = new Wakes({ ...clock, now: () => clock.now() + ahead }, (due) =>
    woken.push(...due.map(({ lane }) => lane)),
  );
  return { clock, made, woken, set: (ms: number) => void (ahead += ms) };
}

describe('when lanes want to be woken', () => {
  test('is kept in order, moved and taken away', async () => {
    const { clock, made, woken } = wakes();
    const now = clock.now();
    made.set('room:a', now + 300);
    made.set('room:b', now + 100);
    made.set('room:c', now + 200);
    made.set('room:b', now + 400);
    made.set('room:c', null);
    await clock.advance(1_000);
    expect(woken).toEqual(['room:a', 'room:b']);
  });

  test('does not pile up, however often it is moved', async () => {
    const { clock, made, woken } = wakes();
    for (let turn = 0; turn < 100_000; turn += 1) {
      made.set(`room:${turn % 10}`, clock.now() + HOUR + turn);
    }
    expect(made.size).toBeLessThan(2_000);
    await clock.advance(2 * HOUR);
    expect(woken).toEqual(Array.from({ length: 10 }, (_, index) => `room:${index}`));
    expect(made.size).toBe(0);
  });

  test('comes when the clock is set ahead, and not when a timer of the old time would', async () => {
    const { clock, made, woken, set } = wakes();
    made.set('room:a', clock.now() + HOUR);
    set(2 * HOUR);
    await clock.advance(60_000);
    expect(woken).toEqual(['room:a']);
  });
});
