import { z } from 'zod';
import {
  botFile,
  compositionRule,
  edgeRule,
  pluginKeeperRule,
  pluginRule,
  transcodingRule,
} from './bot-schema.ts';
import { ACTIONS, CONDITIONS, TRIGGERS } from './vocabulary.ts';
import { isBareable } from './word.ts';
import type { Word } from './word.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** As editors see it: what is written, before defaults and transforms. */
function toJson(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** The word as the one key of a map. */
const withValue = (word: Word): JsonSchema => ({
  [word.name]: {
    description: word.summary,
    ...(isBareable(word) ? { anyOf: [toJson(word.options), { type: 'null' }] } : toJson(word.options)),
  },
});

/** The words that stand alone. */
const alone = (words: Iterable<Word>): JsonSchema => ({
  enum: [...words].filter(isBareable).map(({ name }) => name),
});

const map = (words: readonly Word[], more: JsonSchema = {}, one = true): JsonSchema => ({
  type: 'object',
  properties: { ...Object.assign({}, ...words.map(withValue)), ...more },
  ...(one ? { minProperties: 1, maxProperties: 1 } : { minProperties: 1 }),
});

/** `all`, `any` and `not` around a kind of condition. */
const around = (name: string): JsonSchema => ({ all: ref(name), any: ref(name), not: ref(name) });

/**
 * The JSON Schema of bot files, for editors; made of the very schemas that check them. Plugins may add words to `if`, so
 * unknown ones are let through there: `usher check` has the last word.
 */
export function botJsonSchema(): JsonSchema {
  const conditions = [...CONDITIONS.values()];
  const rule = [edgeRule, transcodingRule, compositionRule, pluginKeeperRule, pluginRule].map(toJson);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A bot of usher',
    ...toJson(botFile),
    $defs: {
      rule: { anyOf: rule },
      trigger: {
        anyOf: [
          alone(TRIGGERS.values()),
          { ...map([...TRIGGERS.values()], { tz: { type: 'string' } }, false), additionalProperties: false },
        ],
      },
      condition: {
        anyOf: [
          map(conditions, around('condition'), false),
          { type: 'array', items: ref('condition') },
          { type: 'string' },
        ],
      },
      state: {
        anyOf: [
          { const: 'publishing' },
          {
            ...map(
              conditions.filter(({ level }) => level),
              around('state'),
              false,
            ),
            additionalProperties: false,
          },
          { type: 'array', items: ref('state') },
        ],
      },
      action: {
        anyOf: [alone(ACTIONS.values()), { ...map([...ACTIONS.values()]), additionalProperties: false }],
      },
      actions: { anyOf: [ref('action'), { type: 'array', items: ref('action'), minItems: 1 }] },
    },
  };
}
