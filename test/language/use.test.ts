import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCondition, defineKeeper, defineRule, duration } from '../../src/plugin/index.ts';
import type { PluginDefinition } from '../../src/plugin/definitions.ts';
import { compile, ruleOf } from './compile.ts';
import { acts, says } from './stage.ts';

const flood = defineRule({
  name: 'flood-guard',
  hears: ['message.posted'],
  mayDo: ['message.hide', 'member.mute'],
  options: z.strictObject({ posts: z.int().min(2).default(10), within: duration().default('60s') }),
  decide: () => [],
});
const keeper = defineKeeper({
  name: 'one-of-each',
  mayDo: ['transcoding.start', 'transcoding.stop'],
  options: z.strictObject({}),
  grace: () => ({ startMs: 0, stopMs: 0 }),
  desired: () => [],
});
const condition = defineCondition({ name: 'is-odd', options: z.strictObject({}), test: () => true });
const plugins = new Map<string, PluginDefinition>([flood, keeper, condition].map((one) => [one.name, one]));

const findingsOf = (rule: string, head = ''): readonly string[] => {
  const compiled = compile(`version: 1\nbot: b\n${head}\nrules:\n  - {id: x, ${rule}}`, { plugins });
  return 'findings' in compiled ? compiled.findings.map((line) => line.replace('bots/b.yaml:', '')) : [];
};

describe('use', () => {
  test('binds a rule with its options, parsed', () => {
    const rule = ruleOf('use: flood-guard\nwith: {posts: 8}\nstop: true\ncooldown: 30s', '', { plugins });
    expect(rule).toMatchObject({
      bot: 'b',
      id: 'r',
      mode: 'shadow',
      options: { posts: 8, within: 60_000 },
      stop: true,
      cooldown: { forMs: 30_000, per: 'room' },
      from: 'bots/b.yaml:5:5',
    });
    expect(rule.definition).toBe(flood);
    expect([...rule.mayDo]).toEqual(['message.hide', 'member.mute']);
  });

  test('a rule has the budget that it says, or its bot, with the usual for the rest', () => {
    const budgetOf = (rule: string, head = '') => ruleOf(rule, head, { plugins }).budget;
    expect(budgetOf('use: flood-guard')).toBeUndefined();
    expect(budgetOf('use: flood-guard\nbudget: {perMinute: 9}')).toEqual({ perEvent: 250, perMinute: 9 });
    expect(budgetOf('use: one-of-each', 'defaults: {budget: {perEvent: 3, perMinute: 9}}')).toEqual({
      perEvent: 3,
      perMinute: 9,
    });
    expect(findingsOf('use: flood-guard, budget: {perEvent: 0}')).toEqual([
      expect.stringMatching(/rules\.0\.budget\.perEvent: must be at least 1/),
    ]);
  });

  test('a plugin whose code is of another version is another rule, as is a rule that asks it', () => {
    const fingerprints = (version: string): readonly string[] => {
      const loaded = new Map<string, PluginDefinition>(
        [flood, condition].map((one) => [one.name, { ...one, version }]),
      );
      return ['use: flood-guard', 'when: message\nif: {is-odd: {}}\nthen: [hide]'].map(
        (rule) => ruleOf(rule, '', { plugins: loaded }).fingerprint,
      );
    };
    const [first, again, changed] = [fingerprints('1'), fingerprints('1'), fingerprints('2')];
    expect(again).toEqual(first);
    expect(changed[0]).not.toBe(first[0]);
    expect(changed[1]).not.toBe(first[1]);
  });

  test('a condition that answers neither yes nor no is told so, and never a yes', () => {
    const said = (answer: unknown): number => {
      const odd = defineCondition({
        name: 'is-odd',
        options: z.strictObject({}),
        test: () => answer as boolean,
      });
      const rule = ruleOf('when: message\nif: {is-odd: {}}\nthen: [hide]', '', {
        plugins: new Map<string, PluginDefinition>([['is-odd', odd]]),
      });
      return acts(rule, says('ann', 'x')).length;
    };
    expect([true, { match: 'x' }, false, undefined].map(said)).toEqual([1, 1, 0, 0]);
    for (const wrong of [Promise.resolve(false), 'yes', 1, null, { match: 1 }])
      expect(() => said(wrong)).toThrow(/"is-odd" answers true, false or/);
  });

  test('binds a keeper, by use or by keep', () => {
    expect(ruleOf('use: one-of-each', '', { plugins }).definition).toBe(keeper);
    expect(ruleOf('keep: one-of-each', '', { plugins }).definition).toBe(keeper);
  });

  test.each([
    ['use: flod-guard', '', '5:18 rules.0.use: unknown plugin "flod-guard" - did you mean "flood-guard"?'],
    ['use: is-odd', '', '5:18 rules.0.use: the plugin "is-odd" is a condition: it stands in "if"'],
    ['keep: flood-guard', '', '5:19 rules.0.keep: the plugin "flood-guard" is a rule: write "use"'],
    [
      'use: flood-guard, with: {post: 8}',
      '',
      '5:38 rules.0.with.post: unknown key "post" - did you mean "posts"?',
    ],
    ['use: flood-guard, with: {within: 8}', '', '5:46 rules.0.with.within: "8" does not fit, expected text'],
    ['use: flood-guard, with: {posts: 1}', '', '5:45 rules.0.with.posts: must be at least 2'],
    [
      'use: flood-guard, mode: enforce',
      '',
      '5:18 rules.0.use: the plugin "flood-guard" may do message.hide, member.mute, which nobody granted: to let it enforce, write "grants: [message.hide, member.mute]" into this rule',
    ],
    [
      'use: flood-guard, mode: enforce, grants: [message.hide]',
      '',
      '5:54 rules.0.grants: the plugin "flood-guard" may do member.mute, which nobody granted: to let it enforce, write "grants: [message.hide, member.mute]" into this rule',
    ],
    [
      'use: flood-guard, grants: [message.hid]',
      '',
      '5:40 rules.0.grants.0: unknown value "message.hid" - did you mean "message.hide"?',
    ],
  ])('%s %s', (rule, head, finding) => {
    expect(findingsOf(rule, head)).toEqual([finding]);
  });

  test.each([
    ['use: flood-guard, mode: enforce, grants: [message.hide, member.mute]', ''],
    ['use: flood-guard, mode: enforce', 'defaults: {grants: [message.hide, member.mute, member.ban]}'],
    ['use: flood-guard, mode: off', ''],
    ['use: flood-guard', ''],
  ])('%s is granted enough', (rule, head) => {
    expect(findingsOf(rule, head)).toEqual([]);
  });

  test('a grant for nothing is warned of', () => {
    const compiled = compile(
      'version: 1\nbot: b\nrules: [{id: x, use: flood-guard, mode: enforce, grants: [message.hide, member.mute, room.purge]}]',
      { plugins },
    );
    expect(compiled.warnings).toEqual([
      expect.stringContaining('never does room.purge: this grant is for nothing'),
    ]);
  });

  test('a condition under the name of a word is refused', () => {
    const rate = defineCondition({ name: 'rate', options: z.strictObject({}), test: () => true });
    expect(compile('version: 1\nbot: b\nrules: []', { plugins: new Map([[rate.name, rate]]) })).toMatchObject(
      {
        findings: [
          expect.stringContaining('a plugin brings a condition "rate", which is a word of the language'),
        ],
      },
    );
  });
});

describe('fingerprints', () => {
  const print = (rule: string, head = '', more = plugins): string =>
    ruleOf(rule, head, { plugins: more }).fingerprint;
  const slurs = (term: string) => `lists: {slurs: {terms: [${term}]}, other: {terms: [x]}}`;
  const hide = 'when: message\nif: {text: {list: slurs}}\nthen: hide';

  test('stay while nothing about the rule changes', () => {
    expect(print(hide, slurs('a'))).toBe(
      print(`# moved\n${hide}`, `${slurs('a')}\nnotify: {m: {webhook: "https://x.example"}}`),
    );
    expect(print('use: flood-guard')).toBe(print('use: flood-guard'));
  });

  test('change with the rule, its list, the defaults and the code of its plugin', () => {
    const changed: PluginDefinition = {
      ...flood,
      decide: () => [{ type: 'log.write', text: 'x', because: [] }],
    };
    const prints = [
      print(hide, slurs('a')),
      print(hide, slurs('b')),
      print(hide.replace('hide', 'strike'), `${slurs('a')}\nstrikes: {c: {ladder: [{at: 1, do: hide}]}}`),
      print(hide.replace('hide', 'strike'), `${slurs('a')}\nstrikes: {c: {ladder: [{at: 2, do: hide}]}}`),
      print(hide, `${slurs('a')}\ndefaults: {cooldown: 1s}`),
      print('use: flood-guard'),
      print('use: flood-guard', '', new Map<string, PluginDefinition>([[flood.name, changed]])),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
