import { map, mergeMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  defineKeeper,
  defineRule,
  hideMessage,
  reply,
  z,
  type RuleDefinition,
} from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { opened, says } from './facts.ts';
import { stage, told } from './stage.ts';

const throwing = rule('throwing', ['message.posted'], (event) => {
  if (event.type === 'message.posted' && event.text.startsWith('bad'))
    throw new Error(`cannot read ${event.text}`);
  return event.type === 'message.posted' ? [reply(event, 'ok')] : [];
});
const neighbour = rule('neighbour', ['message.posted'], (event) =>
  event.type === 'message.posted' ? [hideMessage(event)] : [],
);

describe('the wall around a rule', () => {
  test('a throw loses that event for that rule, and is journaled with rule and event', async () => {
    const one = await stage([bot([bind(throwing), bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'bad', 1), says('ann', 'good', 2));
    expect(told(one.decided)).toEqual([
      'message.hide by neighbour → open',
      'message.send by throwing → open',
      'message.hide by neighbour → open',
    ]);
    expect(await one.store.journal.read({ types: ['rule.failed'] })).toMatchObject([
      {
        lane: 'daemon',
        event: {
          bot: 'house',
          rule: 'throwing',
          event: 'message.posted room:r1 m-ann-1-bad',
          error: 'cannot read bad',
        },
      },
    ]);
  });

  test('throws in a row end in quarantine, with one try each time it is over', async () => {
    const one = await stage([bot([bind(throwing), bind(neighbour)])]);
    await one.feed(opened());
    for (let at = 0; at < 5; at += 1) {
      await one.feed(says('ann', 'bad', at));
      await one.clock.advance(10_000);
    }
    expect(one.engine.stats().quarantined).toEqual(['house/throwing']);
    expect(await one.store.journal.read({ types: ['rule.quarantined'] })).toHaveLength(1);
    await one.feed(says('ann', 'good', 10));
    expect(one.decided.filter(({ action }) => action.rule === 'throwing')).toEqual([]);
    expect(one.decided.filter(({ action }) => action.rule === 'neighbour')).toHaveLength(6);
    await one.clock.advance(300_000);
    await one.feed(says('ann', 'good', 11));
    expect(one.decided.filter(({ action }) => action.rule === 'throwing')).toHaveLength(1);
    expect(one.engine.stats().quarantined).toEqual([]);
  });

  test('a changed rule begins without a record', async () => {
    const one = await stage([bot([bind(throwing)])]);
    await one.feed(opened());
    for (let at = 0; at < 5; at += 1) {
      await one.feed(says('ann', 'bad', at));
      await one.clock.advance(10_000);
    }
    one.engine.use([bot([bind(throwing, { fingerprint: 'mended' })])]);
    await one.feed(says('ann', 'good', 10));
    expect(told(one.decided)).toEqual(['message.send by throwing → open']);
  });

  const failing: readonly (readonly [string, RuleDefinition, RegExp])[] = [
    [
      'a promise',
      { ...throwing, decide: (async () => []) as unknown as () => [] },
      /returns an array of actions, at once/,
    ],
    [
      'an asynchronous stream',
      defineRule({
        name: 'late',
        hears: ['message.posted'],
        mayDo: ['message.hide'],
        options: z.unknown(),
        rule: ({ event$ }) => event$.pipe(mergeMap(async (event) => [hideMessage(event)])),
      }),
      /acted when it had no event/,
    ],
    [
      'a stream that throws',
      defineRule({
        name: 'broken',
        hears: ['message.posted'],
        mayDo: ['message.hide'],
        options: z.unknown(),
        rule: ({ event$ }) =>
          event$.pipe(
            map(() => {
              throw new Error('a broken stream');
            }),
          ),
      }),
      /a broken stream/,
    ],
    [
      'a timer that winds itself up',
      defineRule({
        name: 'winding',
        hears: ['message.posted'],
        mayDo: ['message.hide'],
        options: z.unknown(),
        rule: ({ event$, clock }) =>
          event$.pipe(
            map(() => {
              const again = (): void => void clock.schedule(0, again);
              again();
              return [];
            }),
          ),
      }),
      /reschedule itself after 0 ms/,
    ],
  ];
  test.each(failing)('%s is told what it did', async (_, definition, message) => {
    const one = await stage([bot([bind(definition), bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'a', 1));
    await one.feed(says('ann', 'b', 2));
    expect(one.decided.filter(({ action }) => action.rule === 'neighbour')).toHaveLength(2);
    const [failed] = await one.store.journal.read({ types: ['rule.failed'] });
    expect(failed?.event).toMatchObject({ error: expect.stringMatching(message) });
  });

  test('a keeper that throws harms nobody', async () => {
    const keeper = defineKeeper({
      name: 'broken',
      options: z.unknown(),
      desired: () => {
        throw new Error('no idea');
      },
    });
    const one = await stage([bot([bind(keeper), bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'a', 1));
    expect(told(one.decided)).toEqual(['message.hide by neighbour → open']);
  });
});
