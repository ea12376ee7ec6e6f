import { expect, test } from 'vitest';
import { watchMemory } from '../../src/daemon/watch-memory.ts';
import { bind, bot, rule } from '../engine/bots.ts';
import { room, says } from '../engine/facts.ts';
import { stage } from '../engine/stage.ts';

test('memory that runs short is told once a level, with the rules that remember most', async () => {
  const hoarding = (name: string, size: number) =>
    rule(name, ['message.posted'], (_, { remember }) => {
      remember.set('all', 'x'.repeat(size), { forMs: 3_600_000 });
      return [];
    });
  const one = await stage([bot([bind(hoarding('little', 10)), bind(hoarding('much', 5_000))])]);
  await one.feed(says('ann', 'a'), says('ann', 'b', 1, { place: room('r2') }));
  let used = 50;
  const lines: { data: object; message: string }[] = [];
  const watched = watchMemory({
    engine: one.engine,
    clock: one.clock,
    log: { warn: (data, message) => void lines.push({ data, message }) },
    heap: () => ({ used, limit: 100 }),
  });
  const told = async (now: number): Promise<number> => {
    used = now;
    await one.clock.advance(60_000);
    return lines.splice(0).length;
  };
  expect(await told(69)).toBe(0);
  used = 72;
  await one.clock.advance(30_000);
  expect(lines.splice(0)).toMatchObject([
    {
      message: expect.stringMatching(/72 % of the heap/),
      data: {
        rules: [
          { bot: 'house', rule: 'much', bytes: expect.any(Number) },
          { rule: 'much' },
          { rule: 'little', lane: expect.stringMatching(/^room:r/) },
          { rule: 'little' },
        ],
      },
    },
  ]);
  expect([await told(75), await told(90), await told(88), await told(65), await told(71)]).toEqual([
    0, 1, 0, 0, 0,
  ]);
  expect([await told(50), await told(71)]).toEqual([0, 1]);
  watched.stop();
  expect(await told(99)).toBe(0);
});
