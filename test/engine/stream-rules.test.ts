import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { burstsPer, defineRule, reply, unlessFollowedBy, z } from '../../src/plugin/index.ts';
import { bind, bot } from './bots.ts';
import { opened, room, says } from './facts.ts';
import { stage, told } from './stage.ts';
import { rest, START } from './virtual-clock.ts';
import type { MessagePosted } from '../../src/domain/event.ts';

const burst = defineRule({
  name: 'burst',
  hears: ['message.posted'],
  mayDo: ['message.send'],
  options: z.unknown(),
  remembers: () => 10_000,
  rule: ({ event$ }) =>
    event$.pipe(
      burstsPer((event) => event.author.key, { count: 3, withinMs: 10_000 }),
      map(({ events }) => reply(events.at(-1) as MessagePosted, 'slow down', { because: events })),
    ),
});
const unanswered = defineRule({
  name: 'unanswered',
  hears: ['message.posted'],
  mayDo: ['message.send'],
  options: z.unknown(),
  remembers: () => 60_000,
  rule: ({ event$, clock, room: view }) =>
    event$.pipe(
      unlessFollowedBy({
        keyOf: () => '',
        opens: (event) => event.text === '?',
        closes: (event) => event.text === '!',
        withinMs: 30_000,
        clock,
      }),
      map((event) => reply(event, `nobody in ${view().alias}?`)),
    ),
});

describe('a stream rule in the engine', () => {
  test('has one instance in each place', async () => {
    const one = await stage([bot([bind(burst)])]);
    await one.feed(opened(), opened(room('r2')));
    for (const at of [1, 2])
      await one.feed(
        says('ann', 'x', at),
        says('ann', 'x', at, { place: room('r2'), messageId: `other-${at}` }),
      );
    expect(one.decided).toEqual([]);
    await one.feed(says('ann', 'x', 3));
    expect(one.decided.map(({ action, lane }) => [lane, action.because.length])).toEqual([['room:r1', 3]]);
  });

  test('is warmed up after a restart by what it remembers, and does nothing of it again', async () => {
    const one = await stage([bot([bind(burst)])]);
    await one.feed(opened(), ...[1, 2, 3, 4, 5].map((at) => says('ann', 'x', at)));
    expect(one.decided).toHaveLength(1);
    const again = await one.restart();
    await again.feed(says('ann', 'x', 6));
    expect(again.decided.map(({ action }) => action.because.map((id) => id.slice(-3)))).toEqual([
      ['4-x', '5-x', '6-x'],
    ]);
  });

  test('is woken when its time has come, also by a daemon that was restarted meanwhile', async () => {
    const one = await stage([bot([bind(unanswered)])]);
    await one.feed(opened(), says('ann', '?', 0));
    await one.clock.advance(29_999);
    expect(one.decided).toEqual([]);
    const again = await one.restart();
    await again.clock.advance(1);
    expect(again.decided.map(({ action }) => action.type === 'message.send' && action.text)).toEqual([
      'nobody in alias-r1?',
    ]);
    expect(again.decided[0]?.action.because).toEqual([
      'message.posted room:r1 m-ann-0-?',
      `clock.ticked room:r1 ${START + 30_000}`,
    ]);
    await again.clock.advance(600_000);
    expect(again.decided).toHaveLength(1);
  });

  test('keeps its instance over a reload while its fingerprint stays, and loses it with a change', async () => {
    const one = await stage([bot([bind(burst, { options: {} })])]);
    await one.feed(opened(), says('ann', 'x', 1), says('ann', 'x', 2));
    one.engine.use([bot([bind(burst)])]);
    await rest();
    await one.feed(says('ann', 'x', 3));
    expect(told(one.decided)).toEqual(['message.send by burst → open']);
    one.engine.use([bot([])]);
    await one.feed(says('ann', 'x', 4), says('ann', 'x', 5), says('ann', 'x', 6));
    expect(one.decided).toHaveLength(1);
  });
});
