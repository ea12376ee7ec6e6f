import { mergeMap } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  burstsPer,
  DefinitionError,
  defineRule,
  duration,
  hideMessage,
  isPluginDefinition,
  muteMember,
  reply,
  z,
  type RuleDefinition,
} from '../../src/plugin/index.ts';

const floodGuard = defineRule({
  name: 'flood-guard',
  hears: ['message.posted'],
  mayDo: ['message.hide', 'member.mute'],
  options: z.strictObject({
    posts: z.int().min(2).default(10),
    within: duration().default('60s'),
    muteFor: duration().default('10m'),
  }),
  remembers: ({ within }) => within,
  rule: ({ event$, options }) =>
    event$.pipe(
      burstsPer((event) => event.author.key, { count: options.posts, withinMs: options.within }),
      mergeMap(({ key, events }) => [
        muteMember(key, { forMs: options.muteFor, because: events }),
        ...events.map((event) => hideMessage(event, { because: events })),
      ]),
    ),
});

const head = { name: 'a', options: z.strictObject({}) } as const;

describe('defineRule', () => {
  test('compiles the design’s example and keeps its types', () => {
    expectTypeOf(floodGuard).toExtend<
      RuleDefinition<
        'message.posted',
        'message.hide' | 'member.mute',
        { posts: number; within: number; muteFor: number }
      >
    >();
    const erased: RuleDefinition = floodGuard;
    expect(erased.kind).toBe('rule');
    expect(floodGuard.options.parse({})).toEqual({ posts: 10, within: 60_000, muteFor: 600_000 });
  });

  test('an action outside mayDo does not compile', () => {
    defineRule({
      ...head,
      hears: ['message.posted'],
      mayDo: ['message.hide'],
      // @ts-expect-error reply makes a message.send, which is not declared
      decide: (event) => [reply(event, 'hello')],
    });
    const streaming = defineRule({
      ...head,
      hears: ['message.posted'],
      mayDo: ['message.hide'],
      // @ts-expect-error the same in a stream
      rule: ({ event$ }) => event$.pipe(mergeMap((event) => [reply(event, 'hello')])),
    });
    expectTypeOf(streaming.mayDo).toEqualTypeOf<readonly 'message.hide'[]>();
    expect(streaming.mayDo).toEqual(['message.hide']);
  });

  test('an event outside hears, or an unknown word, does not compile', () => {
    defineRule({
      ...head,
      hears: ['stream.started'],
      mayDo: ['message.hide'],
      // @ts-expect-error a stream that started has no author
      decide: (event) => (event.author ? [] : []),
    });
    const wrong = () =>
      defineRule({
        ...head,
        // @ts-expect-error no such event
        hears: ['message.postd'],
        mayDo: ['message.hide'],
        decide: () => [],
      });
    expect(wrong).toThrow(/"message.postd"; there are only message.posted/);
  });

  test('options that the schema does not have do not compile', () => {
    const rule = defineRule({
      name: 'a',
      hears: ['message.posted'],
      mayDo: ['message.hide'],
      options: z.strictObject({ posts: z.int() }),
      // @ts-expect-error it is `posts`
      decide: (_, { options }) => (options.post > 1 ? [] : []),
    });
    expect(rule.hears).toEqual(['message.posted']);
  });

  test.each([
    ['a name with a space', { name: 'Flood guard' }, /lower-case letters/],
    ['no events', { hears: [] }, /`hears` must name at least one/],
    ['no actions', { mayDo: [] }, /`mayDo` must name at least one/],
    ['an unknown action', { mayDo: ['message.hid'] }, /"message.hid"; there are only message.send/],
    ['an action twice', { mayDo: ['message.hide', 'message.hide'] }, /twice/],
    ['no schema', { options: {} }, /zod type/],
    ['neither decide nor rule', { decide: undefined }, /either `decide`.*or `rule`/],
    ['both', { rule: () => undefined }, /either `decide`.*or `rule`/],
  ])('refuses %s at run time', (_, change, message) => {
    const plain = {
      ...head,
      hears: ['message.posted'],
      mayDo: ['message.hide'],
      decide: () => [],
      ...change,
    };
    // A plugin in JavaScript has no compiler in its way.
    expect(() => defineRule(plain as never)).toThrow(DefinitionError);
    expect(() => defineRule(plain as never)).toThrow(message);
  });

  test('a loader knows a definition from any other export', () => {
    expect(isPluginDefinition(floodGuard)).toBe(true);
    expect([{ kind: 'rule' }, null, 'rule', () => floodGuard].some(isPluginDefinition)).toBe(false);
  });
});
