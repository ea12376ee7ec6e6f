import { describe, expect, test } from 'vitest';
import { createDeadline } from '../../src/ingress/deadline.ts';
import { virtualClock } from './virtual-clock.ts';

const rig = () => {
  const clock = virtualClock();
  return { clock, inTime: createDeadline(clock, 100, () => new Error('late')) };
};

describe('a deadline for many', () => {
  test('what is settled in time is passed on, be it good or bad', async () => {
    const { clock, inTime } = rig();
    const good = inTime(Promise.resolve(7));
    const bad = inTime(Promise.reject(new Error('its own')));
    await expect(good).resolves.toBe(7);
    await expect(bad).rejects.toThrow('its own');
    await clock.advance(1_000);
    await expect(good).resolves.toBe(7);
  });

  test('each is late at its own time, also those that came while others waited', async () => {
    const { clock, inTime } = rig();
    const late: string[] = [];
    const never = (name: string) =>
      inTime(new Promise(() => {})).catch((error: Error) => late.push(`${name}: ${error.message}`));
    void never('first');
    await clock.advance(60);
    void never('second');
    await clock.advance(39);
    expect(late).toEqual([]);
    await clock.advance(1);
    expect(late).toEqual(['first: late']);
    await clock.advance(59);
    expect(late).toEqual(['first: late']);
    await clock.advance(1);
    expect(late).toEqual(['first: late', 'second: late']);
    void never('third');
    await clock.advance(100);
    expect(late).toHaveLength(3);
  });

  test('what was settled does not end the wait of what was not', async () => {
    const { clock, inTime } = rig();
    await inTime(Promise.resolve());
    const late = inTime(new Promise(() => {})).then(
      () => 'done',
      () => 'late',
    );
    await clock.advance(100);
    await expect(late).resolves.toBe('late');
  });
});
