import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { botJsonSchema } from '../../src/language/bot-json-schema.ts';
import { KEEPER_PAGES } from '../../src/language/keeper-pages.ts';
import { renderRulesReference } from '../../src/language/rules-reference.ts';
import { ACTIONS, CONDITIONS, TRIGGERS } from '../../src/language/vocabulary.ts';
import { compile } from './compile.ts';

const page = 'docs/rules.md';

describe('docs/rules.md', () => {
  test('is what the vocabulary says (write it anew with UPDATE_DOCS=1)', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, renderRulesReference());
    expect(readFileSync(page, 'utf8')).toBe(renderRulesReference());
  });

  test('has a bot in its introduction that compiles', () => {
    const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(renderRulesReference()) ?? [];
    expect(
      compile(yaml ?? '', { env: { MODS_WEBHOOK: 'https://pager.example' }, readFile: () => 'slur' }),
    ).toMatchObject({
      bots: [{ name: 'house' }],
    });
  });
});

/** The rest of a rule around the example of one word. */
const around = (example: string): Record<string, unknown> => {
  const part = parse(example) as Record<string, unknown>;
  const condition = String(Object.keys((part['if'] as object | undefined) ?? {})[0]);
  const when = condition === 'tags' ? 'stream.started' : 'message';
  const action = JSON.stringify(part['then'] ?? '');
  return {
    id: 'a-rule',
    when: /terminate|transcode/.test(action) ? 'stream.started' : when,
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language, never awaited
    then: [{ log: 'x' }],
    ...part,
  };
};

const botOf = (rule: unknown): string =>
  JSON.stringify({
    version: 1,
    bot: 'b',
    lists: { slurs: { terms: ['slur'] } },
    strikes: { chat: { ladder: [{ at: 1, do: [{ mute: '1m' }] }] } },
    notify: { mods: { webhook: 'https://pager.example' } },
    rules: [rule],
  });

describe('every word of the vocabulary', () => {
  const words = [...TRIGGERS.values(), ...CONDITIONS.values(), ...ACTIONS.values()];
  test.each(words.map((word) => [word.name, word] as const))('%s has an example that compiles', (_, word) => {
    expect(compile(botOf(around(word.example)))).toMatchObject({ bots: [{ rules: [{ id: 'a-rule' }] }] });
  });

  test.each(KEEPER_PAGES.map((keeper) => [keeper.name, keeper] as const))(
    'keep %s has an example that compiles',
    (_, { example }) => {
      const [rule] = parse(example.join('\n')) as unknown[];
      expect(compile(botOf(rule))).toMatchObject({ bots: [{ rules: [{ mode: 'shadow' }] }], warnings: [] });
    },
  );

  test('stands in the JSON Schema', () => {
    const schema = JSON.stringify(botJsonSchema());
    for (const { name } of words) expect(schema).toContain(`"${name}"`);
  });

  test('every reference in the JSON Schema leads somewhere', () => {
    const schema = botJsonSchema();
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(refs.length).toBeGreaterThan(5);
    expect(Object.keys(schema['$defs'] as object)).toEqual(expect.arrayContaining(refs));
  });
});
