import { describe, expect, test } from 'vitest';
import { scheduleTimes } from '../../src/engine/schedule-times.ts';
import { writeLog } from '../../src/plugin/index.ts';
import type { BoundRule } from '../../src/plugin/bot.ts';
import { bind, bot, rule } from './bots.ts';
import { opened, room } from './facts.ts';
import { stage, type Stage } from './stage.ts';
import { START, virtualClock } from './virtual-clock.ts';

const tidy = rule('tidy', ['schedule.fired'], (event) => [writeLog(event.id, { because: event })]);
const every = (everyMs: number, more: Partial<BoundRule> = {}): BoundRule =>
  bind(tidy, { schedule: { everyMs }, ...more });
const fired = (one: Stage): readonly (readonly [string, number])[] =>
  one.decided.map(({ action, lane }) => [lane, action.decidedAt - START]);

describe('a schedule', () => {
  test('fires for each open place in scope, at times that lie on a grid', async () => {
    const scope = { covers: ({ id }: { readonly id: string }) => id !== 'r3' };
    const one = await stage([bot([every(60_000, { scope }), bind(tidy, { id: 'other' })])]);
    await one.feed(opened(), opened(room('r2')), opened(room('r3')));
    await one.clock.advance(120_000);
    expect(fired(one)).toEqual([
      ['room:r1', 60_000],
      ['room:r2', 60_000],
      ['room:r1', 120_000],
      ['room:r2', 120_000],
    ]);
  });

  test('does not fire again after a restart, and what was missed comes as one', async () => {
    const one = await stage([bot([every(60_000)])]);
    await one.feed(opened());
    await one.clock.advance(60_000);
    const again = await one.restart();
    expect(again.decided).toEqual([]);
    await again.engine.stop();
    await again.clock.advance(200_000);
    const late = await again.restart();
    expect(fired(late)).toEqual([['room:r1', 240_000]]);
    await late.clock.advance(60_000);
    expect(fired(late)).toEqual([
      ['room:r1', 240_000],
      ['room:r1', 300_000],
    ]);
  });

  test('a new schedule does not make up for times before it was there', async () => {
    const one = await stage([bot([])]);
    await one.feed(opened());
    await one.clock.advance(90_000);
    one.engine.use([bot([every(60_000)])]);
    await one.clock.advance(1);
    expect(one.decided).toEqual([]);
    await one.clock.advance(30_000);
    expect(fired(one)).toEqual([['room:r1', 120_000]]);
  });

  test('runs soon after the clock was set ahead, once for all that was passed over', async () => {
    const clock = virtualClock();
    let ahead = 0;
    const one = await stage([bot([every(60_000)])], { clock: { ...clock, now: () => clock.now() + ahead } });
    await one.feed(opened());
    await clock.advance(60_000);
    ahead = 3_600_000;
    await clock.advance(30_000);
    expect(fired(one).map(([, at]) => at)).toEqual([60_000, 3_660_000]);
  });

  test('runs no second time when the clock is set back over a time that was', async () => {
    const clock = virtualClock();
    let back = 0;
    const one = await stage([bot([every(60_000)])], { clock: { ...clock, now: () => clock.now() - back } });
    await one.feed(opened());
    await clock.advance(120_000);
    back = 90_000;
    await clock.advance(89_000);
    expect(fired(one).map(([, at]) => at)).toEqual([60_000, 120_000]);
    await clock.advance(61_000);
    expect(fired(one).map(([, at]) => at)).toEqual([60_000, 120_000, 180_000]);
  });

  test('of cron lies on its own grid, in its time zone', () => {
    const times = scheduleTimes({ cron: '0 4 * * *', tz: 'Europe/Berlin' });
    const four = Date.UTC(2027, 0, 16, 3);
    expect(times.after(four - 1)).toBe(four);
    expect(times.after(four)).toBe(four + 86_400_000);
    expect(times.lastBy(four)).toBe(four);
    expect(times.lastBy(four - 1)).toBe(four - 86_400_000);
  });
});
