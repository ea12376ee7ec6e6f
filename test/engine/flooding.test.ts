import { describe, expect, test } from 'vitest';
import { defineKeeper, defineRule, reply, transcoding, z } from '../../src/plugin/index.ts';
import { from, mergeMap } from 'rxjs';
import { bind, bot, rule } from './bots.ts';
import { opened, publishes, room, says } from './facts.ts';
import { stage, type Stage } from './stage.ts';

/** Replies as often as the message says. */
const talkative = rule('talkative', ['message.posted'], (event) =>
  event.type === 'message.posted'
    ? Array.from({ length: Number(event.text) }, (_, index) => reply(event, `no. ${index}`))
    : [],
);
const BUDGET = { perEvent: 10, perMinute: 25 };
const tally = (one: Stage) => {
  const refused = one.decided.filter(({ settled }) => settled?.outcome === 'refused');
  return { done: one.decided.length - refused.length, refused };
};

describe('the budget of actions', () => {
  test('what one event exceeds is refused in one record that tells how much', async () => {
    const one = await stage([bot([bind(talkative, { budget: BUDGET })])]);
    await one.feed(opened(), says('ann', '1000000', 1));
    const { done, refused } = tally(one);
    expect(done).toBe(10);
    expect(refused).toMatchObject([
      {
        action: { type: 'message.send', text: 'no. 10' },
        settled: {
          detail: expect.stringMatching(/budget of 10 actions an event: .*and 999989 more with it/),
        },
      },
    ]);
  });

  test('what a minute exceeds is refused, and time gives it back', async () => {
    const one = await stage([bot([bind(talkative, { budget: BUDGET })])]);
    await one.feed(opened(), ...[1, 2, 3].map((at) => says('ann', '10', at)));
    expect(tally(one)).toMatchObject({
      done: 25,
      refused: [{ settled: { detail: expect.stringMatching(/budget of 25 actions a minute here/) } }],
    });
    await one.feed(says('ann', '10', 12_003));
    expect(tally(one).done).toBe(30);
    await one.feed(says('ann', '10', 120_000));
    expect(tally(one).done).toBe(40);
  });

  test('it is counted by the time of the events: a backlog of an hour trips nothing', async () => {
    const one = await stage([bot([bind(talkative, { budget: BUDGET })])]);
    const hour = Array.from({ length: 60 }, (_, minute) =>
      says('ann', '10', minute * 60_000, { seenAt: one.clock.now() }),
    );
    await one.engine.accept([opened()]);
    await one.engine.accept(hour);
    await one.feed();
    expect(tally(one)).toEqual({ done: 600, refused: [] });
  });

  test('each rule and each place has its own, and shadow another than enforce', async () => {
    const rules = [
      bind(talkative, { budget: BUDGET }),
      bind(talkative, { id: 'other', budget: BUDGET }),
      bind(talkative, { id: 'shown', budget: BUDGET, mode: 'shadow' }),
    ];
    const one = await stage([bot(rules)]);
    await one.feed(opened(), opened(room('r2')));
    for (const place of [room('r1'), room('r2')])
      for (const at of [1, 2, 3]) await one.feed(says(`ann-${place.id}`, '10', at, { place }));
    const refused = tally(one).refused.map(({ action, lane }) => `${action.rule} ${lane}`);
    expect(refused.sort()).toEqual([
      'other room:r1',
      'other room:r2',
      'shown room:r1',
      'shown room:r2',
      'talkative room:r1',
      'talkative room:r2',
    ]);
  });

  test('a restart forgets nothing of it: what was spent stays spent', async () => {
    const one = await stage([bot([bind(talkative, { budget: BUDGET })])]);
    await one.feed(opened(), ...[1, 2, 3].map((at) => says('ann', '10', at)));
    const two = await one.restart();
    await two.feed(says('ann', '10', 4));
    expect(tally(two)).toMatchObject({ done: 0, refused: [{}] });
  });

  test('the same events are refused the same, whenever they are handled', async () => {
    const outcomes = async (wait: number): Promise<readonly string[]> => {
      const one = await stage([bot([bind(talkative, { budget: BUDGET })])]);
      await one.feed(opened());
      for (let at = 0; at < 20; at += 1) {
        await one.feed(says('ann', String(at), at * 1_700));
        await one.clock.advance(wait);
      }
      return one.decided.map(({ action, settled }) => `${action.id} ${settled?.outcome ?? 'open'}`);
    };
    expect(await outcomes(90_000)).toEqual(await outcomes(0));
  });

  test('it is told once a minute and counted each time', async () => {
    const counted: unknown[] = [];
    const one = await stage([bot([bind(talkative, { budget: BUDGET })])], {
      count: (name, labels, times) => {
        if (name === 'actions.over_budget') counted.push({ ...labels, times });
      },
    });
    await one.feed(opened(), ...[1, 2, 3, 4].map((at) => says('ann', '12', at)));
    const told = () => one.logged.filter(({ message }) => message.includes('wants to do too much'));
    expect(told()).toHaveLength(1);
    expect(told()[0]).toMatchObject({ data: { bot: 'house', rule: 'talkative', refused: 2 } });
    expect(counted).toEqual([2, 2, 7, 12].map((times) => ({ bot: 'house', rule: 'talkative', times })));
    await one.feed(says('ann', '12', 61_000));
    expect(told()).toHaveLength(2);
  });

  test('without one of its own a rule has a generous one', async () => {
    const one = await stage([bot([bind(talkative)])]);
    await one.feed(opened(), says('ann', '200', 1), says('ann', '251', 2));
    expect(tally(one)).toMatchObject({ done: 450, refused: [{}] });
  });

  test('streams and keepers have it too; a keeper tries the rest later', async () => {
    const flood = defineRule({
      name: 'flood',
      hears: ['message.posted'],
      mayDo: ['message.send'],
      options: z.unknown(),
      rule: ({ event$ }) =>
        event$.pipe(
          mergeMap((event) => from(Array.from({ length: 50_000 }, (_, n) => reply(event, `${n}`)))),
        ),
    });
    const keeper = defineKeeper({
      name: 'greedy',
      options: z.unknown(),
      desired: (view) =>
        [...view.streams.keys()].flatMap((id) =>
          Array.from({ length: 30 }, (_, n) => ({ ...transcoding(id, { type: 'HLS' }), key: `${id}-${n}` })),
        ),
    });
    const one = await stage([bot([bind(flood, { budget: BUDGET }), bind(keeper, { budget: BUDGET })])]);
    await one.feed(opened(), publishes('ann', 's1', 1));
    expect(tally(one)).toMatchObject({ done: 10, refused: [{ action: { type: 'transcoding.start' } }] });
    for (const { action } of tally(one).refused) expect(action.rule).toBe('greedy');
    await one.feed(says('ann', 'x', 2));
    expect(tally(one)).toMatchObject({ done: 20, refused: [{}, { action: { rule: 'flood', text: '10' } }] });
    await one.clock.advance(120_000);
    expect(tally(one).done).toBeGreaterThan(20);
  });
});
