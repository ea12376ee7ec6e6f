import { finalize, map, mergeMap, range, take } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { EventType, MessagePosted, UsherEvent } from '../../src/domain/event.ts';
import type { StreamContext } from '../../src/plugin/definitions.ts';
import {
  defineKeeper,
  defineRule,
  hideMessage,
  reply,
  z,
  type RuleDefinition,
} from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { opened, ROOM, says } from './facts.ts';
import { stage, told } from './stage.ts';

const throwing = rule('throwing', ['message.posted'], (event) => {
  if (event.type === 'message.posted' && event.text.startsWith('bad'))
    throw new Error(`cannot read ${event.text}`);
  return event.type === 'message.posted' ? [reply(event, 'ok')] : [];
});
const neighbour = rule('neighbour', ['message.posted'], (event) =>
  event.type === 'message.posted' ? [hideMessage(event)] : [],
);

const mute = {
  type: 'member.mute',
  because: [],
  place: ROOM,
  member: 'session:ann',
  screenName: 'ann',
};

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

  /** A `decide` as plain JavaScript may write it. */
  const returning = (decide: (event: UsherEvent) => unknown): RuleDefinition => ({
    ...throwing,
    decide: decide as NonNullable<RuleDefinition['decide']>,
  });
  /** What plain JavaScript may put into a list of actions. */
  const acting = (draft: unknown): RuleDefinition => returning(() => [draft]);
  const streaming = (rule: (context: StreamContext<EventType, unknown>) => unknown): RuleDefinition =>
    // As plain JavaScript would.
    ({ ...throwing, decide: undefined, rule }) as unknown as RuleDefinition;
  const unreadable = {
    get type(): string {
      throw new Error('a getter that throws');
    },
  };
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  const remembering = (value: unknown, forMs = 1_000): RuleDefinition => ({
    ...throwing,
    decide: (_event, { remember }) => {
      remember.set('key', value as string, { forMs });
      return [];
    },
  });

  const failing: readonly (readonly [string, RuleDefinition, RegExp])[] = [
    ['a rejected promise', returning(async () => Promise.reject(new Error('later'))), /returns an array/],
    ['nothing at all', returning(() => undefined), /returns an array of actions, at once/],
    [
      'a thrown text',
      returning(() => {
        // oxlint-disable-next-line typescript/only-throw-error -- as plain JavaScript may
        throw 'just words';
      }),
      /^just words$/,
    ],
    [
      'a thrown nothing',
      returning(() => {
        // oxlint-disable-next-line typescript/only-throw-error -- as plain JavaScript may
        throw undefined;
      }),
      /^undefined$/,
    ],
    [
      'an error that cannot be read',
      returning(() => {
        // oxlint-disable-next-line typescript/only-throw-error -- as plain JavaScript may
        throw Object.create(null);
      }),
      /does not let itself be read/,
    ],
    [
      'a huge error',
      returning(() => {
        throw new Error('x'.repeat(10_000_000));
      }),
      /^x{2000}$/,
    ],
    ['no action', acting(null), /An action of the rule is not what it should be/],
    ['an unknown action', acting({ type: 'room.burn', because: [] }), /type/],
    [
      'half an action',
      acting({ type: 'message.send', because: [], text: 'x' }),
      /place: .*; tags: .*functions of usher/,
    ],
    ['an action with a time that is none', acting({ ...mute, forMs: Number.NaN }), /forMs: /],
    ['an action for ever', acting({ ...mute, forMs: Infinity }), /forMs: /],
    ['an action whose getter throws', acting(unreadable), /a getter that throws/],
    ['a function to remember', remembering(() => 1), /only plain data/],
    ['a number to remember that is none', remembering(Number.NaN), /NaN: only plain data/],
    ['a circle to remember', remembering(circular), /circular/],
    ['a bigint to remember', remembering({ n: 1n }), /BigInt/],
    ['a time to remember for that is none', remembering(1, Number.NaN), /remembered for NaN/],
    [
      'a value to remember that is too large',
      remembering('x'.repeat(300_000)),
      /300\d\d\d bytes.* limit is 262144/,
    ],
    [
      'a subscriber of its own that throws',
      streaming(({ event$ }) => {
        event$.pipe(map((event) => event.id)).subscribe(() => {
          throw new Error('inside a subscriber');
        });
        return event$.pipe(map(() => []));
      }),
      /inside a subscriber/,
    ],
    ['a stream of nothing', streaming(({ event$ }) => event$.pipe(map(() => undefined))), /gave undefined/],
    [
      'a stream of nothing that throws again when it is ended',
      streaming(({ event$ }) =>
        event$.pipe(
          map(() => undefined),
          finalize(() => {
            throw new Error('torn');
          }),
        ),
      ),
      /gave undefined/,
    ],
    ['no stream', streaming(() => undefined), /has no `rule` to start/],
    ['a promise of a stream', streaming(async () => undefined), /subscribe/],
    [
      'a wait that is no time',
      streaming(({ event$, clock }) =>
        event$.pipe(
          map(() => {
            clock.schedule(Number.NaN, () => undefined);
            return [];
          }),
        ),
      ),
      /after NaN, which is no time/,
    ],
    [
      'a wait that throws',
      streaming(({ event$, clock }) =>
        event$.pipe(
          map(() => {
            clock.schedule(0, () => {
              throw new Error('too late');
            });
            return [];
          }),
        ),
      ),
      /too late/,
    ],
    [
      'a stream that comes to its end',
      streaming(({ event$ }) =>
        event$.pipe(
          take(1),
          map(() => []),
        ),
      ),
      /come to its end/,
    ],
    [
      'a stream that acts without end',
      streaming(({ event$ }) =>
        event$.pipe(
          mergeMap((event) => range(0, 200_000).pipe(map(() => hideMessage(event as MessagePosted)))),
        ),
      ),
      /more than 100000 things/,
    ],
    [
      'a stream that waits without end',
      streaming(({ event$, clock }) =>
        event$.pipe(
          map(() => {
            for (let n = 0; n < 60_000; n += 1) clock.schedule(1_000, () => undefined);
            return [];
          }),
        ),
      ),
      /waits for 50000 things/,
    ],
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
    const one = await stage([bot([bind(definition, { id: 'bad' }), bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'a', 1));
    await one.feed(says('ann', 'b', 2));
    expect(told(one.decided)).toEqual([
      'message.hide by neighbour → open',
      'message.hide by neighbour → open',
    ]);
    expect(one.engine.stats().undone).toBe(0);
    // The engine's own complaints: of a wall that has a hole.
    expect(one.logged.filter(({ message }) => /this is a bug|tried again/.test(message))).toEqual([]);
    const [failed] = await one.store.journal.read({ types: ['rule.failed'] });
    expect(failed?.event).toMatchObject({ error: expect.stringMatching(message) });
  });

  test('a kind of array of its own runs nothing outside of the wall', async () => {
    let slices = 0;
    class Odd extends Array<unknown> {
      override slice(): unknown[] {
        if ((slices += 1) > 1) throw new Error('once is enough');
        return Odd.from(this);
      }
    }
    const odd = returning((event) => Odd.of(reply(event as MessagePosted, 'odd')));
    const one = await stage([bot([bind(odd, { id: 'odd' }), bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'a', 1));
    expect(told(one.decided)).toEqual(['message.send by odd → open', 'message.hide by neighbour → open']);
    expect(one.logged).toEqual([]);
  });

  const brokenKeepers: readonly (readonly [string, () => unknown, (() => unknown) | undefined, RegExp])[] = [
    [
      'that throws',
      () => {
        throw new Error('no idea');
      },
      undefined,
      /no idea/,
    ],
    ['that promises', async () => Promise.reject(new Error('later')), undefined, /at once: a promise/],
    [
      'that wants nonsense',
      () => [{ key: 'a', kind: 'party' }],
      undefined,
      /A resource of the keeper .*kind/,
    ],
    [
      'that wants half of something',
      () => [{ key: 'a', kind: 'transcoding', spec: {} }],
      undefined,
      /spec\.streamId/,
    ],
    ['whose grace is no time', () => [], () => ({ startMs: Number.NaN, stopMs: 0 }), /grace is NaN and 0/],
  ];
  test.each(brokenKeepers)('a keeper %s harms nobody', async (_, desired, grace, message) => {
    const keeper = {
      ...defineKeeper({ name: 'broken', options: z.unknown(), desired: () => [] }),
      ...({ desired, ...(grace && { grace }) } as object), // as plain JavaScript would
    };
    const one = await stage([bot([bind(keeper), bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'a', 1));
    expect(told(one.decided)).toEqual(['message.hide by neighbour → open']);
    const [failed] = await one.store.journal.read({ types: ['rule.failed'] });
    expect(failed?.event).toMatchObject({ rule: 'broken', error: expect.stringMatching(message) });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('how long?');
      },
    ],
    ['is no time', () => Number.NaN],
    ['is for ever', () => Infinity],
    ['is a text', () => 'a day'],
  ])('a memory whose reach %s does not hold up the place', async (_, remembers) => {
    const rule = defineRule({
      name: 'vague',
      hears: ['message.posted'],
      mayDo: ['message.send'],
      options: z.unknown(),
      remembers: remembers as () => number,
      rule: ({ event$ }) => event$.pipe(map((event) => reply(event, 'ok'))),
    });
    const one = await stage([bot([bind(neighbour)])]);
    await one.feed(opened(), says('ann', 'a', 1));
    const two = await one.restart([bot([bind(rule), bind(neighbour)])]);
    await two.feed(says('ann', 'b', 2));
    expect(told(two.decided)).toEqual(['message.send by vague → open', 'message.hide by neighbour → open']);
    expect(two.logged).toMatchObject([
      { message: expect.stringMatching(/does not say how far back/), data: { rule: 'vague' } },
    ]);
  });

  test('what a rule remembers is what it was, whatever the rule does with it afterwards', async () => {
    const list: string[] = [];
    const gathering = rule('gathering', ['message.posted'], (event, { remember }) => {
      if (event.type !== 'message.posted') return [];
      const before = remember.get('list');
      list.push(event.text);
      remember.set('list', list, { forMs: 60_000 });
      list.push('never remembered');
      return [reply(event, JSON.stringify(before ?? null))];
    });
    const one = await stage([bot([bind(gathering)])]);
    await one.feed(opened(), says('ann', 'a', 1), says('ann', 'b', 2));
    expect(one.decided.map(({ action }) => action.type === 'message.send' && action.text)).toEqual([
      'null',
      '["a"]',
    ]);
  });

  test('a rule that remembers more and more is told so; what has expired makes room', async () => {
    const hoarding = rule('hoarding', ['message.posted'], (event, { remember }) => {
      remember.set(event.id, 'x'.repeat(200_000), { forMs: 600_000 });
      return [];
    });
    const one = await stage([bot([bind(hoarding), bind(neighbour)])]);
    await one.feed(opened(), ...Array.from({ length: 42 }, (_, at) => says('ann', 'a', at)));
    const failures = async (): Promise<readonly unknown[]> =>
      one.store.journal.read({ types: ['rule.failed'] });
    expect(await failures()).toMatchObject([
      { event: { error: expect.stringMatching(/^The rule remembers \d{7} bytes in this place/) } },
    ]);
    await one.feed(says('ann', 'a', 700_000));
    expect(await failures()).toHaveLength(1);
    expect(one.engine.stats().quarantined).toEqual([]);
  });
});
