import { finalize, filter, map, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  burstsPer,
  defineRule,
  hideMessage,
  muteMember,
  reply,
  unlessFollowedBy,
  z,
  type RuleDefinition,
} from '../../src/plugin/index.ts';
import {
  joins,
  member,
  publishes,
  roomWith,
  ruleTester,
  RuleTestError,
  says,
  wait,
  type SilentCase,
} from '../../src/testing/index.ts';

const greeter = defineRule({
  name: 'greeter',
  hears: ['message.posted'],
  mayDo: ['message.send'],
  options: z.strictObject({ greeting: z.string().default('hello') }),
  decide: (event, { options, remember }) => {
    if (event.text !== 'hi' || remember.get(event.author.key) === true) return [];
    remember.set(event.author.key, true, { forMs: 10_000 });
    return [reply(event, `${options.greeting} ${event.author.screenName}`)];
  },
});

describe('ruleTester with a rule that decides', () => {
  const { cases, run } = ruleTester(greeter, {
    acts: [
      { name: 'greets', steps: [says('ann', 'hi')], does: ['message.send'] },
      {
        name: 'greets once, each in their own words',
        steps: [says('ann', 'hi'), says('ann', 'hi'), says('bob', 'hi')],
        options: { greeting: 'hey' },
        does: [
          { type: 'message.send', text: 'hey ann' },
          { type: 'message.send', text: 'hey bob' },
        ],
      },
      {
        name: 'greets again once it has forgotten',
        steps: [says('ann', 'hi'), wait('10s'), says('ann', 'hi')],
        does: ['message.send', 'message.send'],
      },
    ],
    staysSilent: [{ name: 'says nothing else', steps: [says('ann', 'ho'), publishes('ann')] }],
  });
  test.each(cases)('$name', (one) => {
    expect(one.run).not.toThrow();
  });
  test('all of them run in one call', () => {
    expect(run).not.toThrow();
  });
});

const flood = defineRule({
  name: 'flood',
  hears: ['message.posted', 'member.joined'],
  mayDo: ['member.mute', 'message.send'],
  options: z.strictObject({}),
  rule: ({ event$ }) =>
    event$.pipe((all$) =>
      all$.pipe(
        filter((event) => event.type === 'message.posted'),
        burstsPer((event) => event.author.key, { count: 3, withinMs: 5_000 }),
        map(({ key, events }) => muteMember(key, { forMs: 1_000, because: events })),
      ),
    ),
});
const nobodyAnswers = defineRule({
  name: 'nobody-answers',
  hears: ['message.posted'],
  mayDo: ['message.send'],
  options: z.strictObject({}),
  rule: ({ event$, clock }) =>
    event$.pipe(
      unlessFollowedBy({
        keyOf: () => 'room',
        opens: (event) => event.text.endsWith('?'),
        closes: (event) => !event.text.endsWith('?'),
        withinMs: 30_000,
        clock,
      }),
      map((event) => reply(event, 'anybody?')),
    ),
});

describe('ruleTester with rules of streams', () => {
  test.each([
    ...ruleTester(flood, {
      acts: [
        {
          name: 'three in five seconds are a flood',
          steps: [says('ann', 'a'), says('bob', 'x'), says('ann', 'b'), says('ann', 'c'), says('ann', 'd')],
          room: roomWith({ members: [member('ann')] }),
          does: [{ type: 'member.mute', member: 'session:session-ann', screenName: 'ann', forMs: 1_000 }],
        },
      ],
      staysSilent: [
        {
          name: 'slowly is no flood',
          steps: [says('ann', 'a'), says('ann', 'b'), wait('5s'), says('ann', 'c')],
        },
        { name: 'joining is no flood', steps: [joins('ann'), joins('ann'), joins('ann')] },
      ],
    }).cases,
    ...ruleTester(nobodyAnswers, {
      acts: [
        {
          name: 'time passes without an answer',
          steps: [says('ann', 'who?'), wait('30s')],
          does: ['message.send'],
        },
        {
          name: 'an event late enough is time that passes',
          steps: [says('ann', 'who?'), wait('29s'), says('bob', 'again?')],
          does: ['message.send'],
        },
      ],
      staysSilent: [{ name: 'an answer came', steps: [says('ann', 'who?'), says('bob', 'I'), wait('60s')] }],
    }).cases,
  ])('$name', (one) => {
    expect(one.run).not.toThrow();
  });
});

const bad = (
  decide: NonNullable<RuleDefinition<'message.posted'>['decide']>,
  mayDo: RuleDefinition['mayDo'] = ['message.hide'],
): RuleDefinition<'message.posted'> =>
  defineRule({ name: 'bad', hears: ['message.posted'], mayDo, options: z.strictObject({}), decide });

let count = 0;
describe('ruleTester refuses', () => {
  test.each<[string, RuleDefinition<'message.posted'>, RegExp]>([
    ['the wall clock', bad(() => (Date.now() > 0 ? [] : [])), /wall clock.*event’s own time/],
    ['a new Date', bad(() => (new Date().getTime() > 0 ? [] : [])), /wall clock/],
    ['performance.now', bad(() => (performance.now() > 0 ? [] : [])), /performance\.now/],
    ['chance', bad(() => (Math.random() > 2 ? [] : [])), /Math\.random.*the same each time/],
    ['a timer', bad(() => (setTimeout(() => undefined, 1) ? [] : [])), /setTimeout.*clock\.schedule/],
    ['the network', bad(() => [fetch('http://127.0.0.1:9')].flatMap(() => [])), /fetch.*asks nobody/],
    [
      'changing its input',
      bad((event) => (Object.assign(event, { text: '' }) ? [] : [])),
      /shared and frozen/,
    ],
    ['a promise', bad((async () => []) as unknown as () => []), /returned no array/],
    [
      'an action that is not declared',
      bad((event) => [reply(event, 'x')]),
      /did "message\.send" but `mayDo` lists only message\.hide/,
    ],
    ['an action without a reason', bad((event) => [hideMessage(event, { because: [] })]), /without a reason/],
    [
      'an invented reason',
      bad((event) => [hideMessage(event, { because: 'x' })]),
      /"x", which it never heard/,
    ],
    ['state of its own', bad((event) => ((count += 1) % 2 === 0 ? [hideMessage(event)] : [])), /same twice/],
    ['acting where it was to be silent', bad((event) => [hideMessage(event)]), /expected: nothing/],
    [
      'a teardown that throws',
      defineRule({
        name: 'bad',
        hears: ['message.posted'],
        mayDo: ['message.hide'],
        options: z.strictObject({}),
        rule: ({ event$ }) =>
          event$.pipe(
            map(() => []),
            finalize(() => {
              throw new Error('torn');
            }),
          ),
      }),
      /bad threw while its stream was ended \(.*torn/s,
    ],
    [
      'a subscription that stays open',
      defineRule({
        name: 'bad',
        hears: ['message.posted'],
        mayDo: ['message.hide'],
        options: z.strictObject({}),
        rule: ({ event$ }) => {
          event$.subscribe();
          return of([]);
        },
      }),
      /left a subscription/,
    ],
  ])('%s', (_, rule, message) => {
    const silent: SilentCase = { name: 'x', steps: [says('ann', 'x')] };
    const { cases } = ruleTester(rule, { staysSilent: [silent] });
    expect(cases[0]!.run).toThrow(RuleTestError);
    expect(cases[0]!.run).toThrow(message);
  });

  test('cases that are no cases', () => {
    const steps = [says('ann', 'hi')];
    const twice = {
      staysSilent: [
        { name: 'a', steps },
        { name: 'b', steps },
      ],
    };
    expect(() => ruleTester(greeter, twice)).toThrow(/"a" and "b" are the same case/);
    const named = {
      staysSilent: [
        { name: 'a', steps },
        { name: 'a', steps: [says('ann', 'ho')] },
      ],
    };
    expect(() => ruleTester(greeter, named)).toThrow(/two cases are named "a"/);
    expect(() => ruleTester(greeter, { acts: [{ name: 'a', steps, does: [] }] })).toThrow(/`does` is empty/);
    const deaf = ruleTester(greeter, { staysSilent: [{ name: 'a', steps: [publishes('ann')] }] });
    expect(deaf.run).toThrow(/no event that greeter hears/);
    const options = ruleTester(greeter, { options: { greting: 'x' }, staysSilent: [{ name: 'a', steps }] });
    expect(options.run).toThrow(/options do not fit/);
  });

  test('and gives the world back', () => {
    const { cases } = ruleTester(
      bad(() => (Date.now() > 0 ? [] : [])),
      {
        staysSilent: [{ name: 'x', steps: [says('ann', 'x')] }],
      },
    );
    expect(cases[0]!.run).toThrow(/wall clock/);
    expect(Date.now()).toBe(new Date().getTime());
    expect(performance.now()).toBeGreaterThan(0);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
  });
});
