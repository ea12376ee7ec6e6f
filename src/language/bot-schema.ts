import { z } from 'zod';
import { ACTION_TYPES } from '../domain/action.ts';
import { ROLES } from '../domain/member.ts';
import { MESSAGE_LIMITS } from '../platform/index.ts';
import { USUAL_BUDGET } from '../plugin/bot.ts';
import { compositionCapabilities } from './composition-capabilities.ts';
import { exceptOption } from './compile-except.ts';
import { durationOption } from './duration-option.ts';
import { layoutShape } from './layout.ts';
import { scopeOption } from './scope-option.ts';
import { foldOption, matchOption } from './text-options.ts';
import { transcodingOption } from './transcoding-option.ts';

/** A part of a file that the vocabulary checks, word by word; the JSON Schema refers to its definition. */
const vocabulary = (name: string, description: string) =>
  z.unknown().meta({ $ref: `#/$defs/${name}`, description });

const nameOption = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'a name is 1 to 64 letters, digits, dots, dashes and underscores');

const modeOption = z.enum(['off', 'shadow', 'enforce'], {
  error: ({ input }) =>
    input === 'review' ? 'the mode "review" is not there yet: it is planned for a later version' : undefined,
});

const cooldownOption = z.union([
  durationOption(),
  z.strictObject({ for: durationOption(), per: z.enum(['member', 'room', 'rule']).default('room') }),
]);

/** How much a rule may do; more than the usual is the operator's word too. */
const budgetOption = z.strictObject({
  perEvent: z.int().min(1).max(10_000).default(USUAL_BUDGET.perEvent),
  perMinute: z.int().min(1).max(100_000).default(USUAL_BUDGET.perMinute),
});

const grantsOption = z.array(z.enum(ACTION_TYPES)).min(1);

/** No way out by spelling: where it may lead is for whoever reads the file to say. */
const listPath = z
  .string()
  .min(1)
  .regex(
    /^(?!\/|[A-Za-z]:|[a-z][a-z0-9+.-]*:\/\/)[^\\\p{Cc}]+$/u,
    'must be a path from the bot file with "/" between its parts: no address, no absolute path, no backslash',
  );

const listOption = z
  .strictObject({
    file: listPath.optional(),
    terms: z.array(z.string().min(1).max(256)).min(1).optional(),
    match: matchOption,
    fold: foldOption,
    allow: z.array(z.string().min(1).max(256)).optional(),
  })
  .refine(
    ({ file, terms }) => file !== undefined || terms !== undefined,
    'a list has its words under "terms" or in a "file"',
  );
export type ListOptions = z.infer<typeof listOption>;

const ladderOption = z.strictObject({
  per: z.literal('member').optional(),
  decay: z
    .strictObject({
      points: z.number().positive(),
      every: durationOption().refine((ms) => ms > 0, 'must be more than 0'),
    })
    .optional(),
  ladder: z
    .array(z.strictObject({ at: z.number().positive(), do: vocabulary('actions', 'actions such as [hide]') }))
    .min(1)
    .superRefine((steps, context) => {
      for (const [index, { at }] of steps.entries())
        if (index > 0 && at <= (steps[index - 1]?.at ?? 0))
          context.addIssue({
            code: 'custom',
            path: [index, 'at'],
            message: 'steps stand in rising order of "at"',
          });
    }),
});
export type LadderOptions = z.infer<typeof ladderOption>;

const webhookOption = z.strictObject({
  webhook: z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an address that begins with https:// or http://',
  }),
});

/** The keys of every rule. */
const anyRule = {
  id: nameOption,
  in: scopeOption.optional(),
  mode: modeOption.optional(),
  note: z.string().min(1).max(200).optional(),
  budget: budgetOption.optional(),
};
const hearingRule = {
  except: exceptOption.optional(),
  cooldown: cooldownOption.optional(),
  stop: z.boolean().optional(),
};
const grace = z
  .strictObject({ start: durationOption().optional(), stop: durationOption().optional() })
  .optional();

/** `when / if / then`. */
export const edgeRule = z.strictObject({
  ...anyRule,
  when: vocabulary('trigger', 'an event such as message'),
  if: vocabulary('condition', 'a condition such as {text: {list: slurs}}').optional(),
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the language, never awaited
  then: vocabulary('actions', 'actions such as [hide]'),
  ...hearingRule,
});
/** `keep: transcoding`. */
export const transcodingRule = z.strictObject({
  ...anyRule,
  keep: z.literal('transcoding'),
  while: vocabulary('state', 'a state such as publishing').optional(),
  transcoding: transcodingOption.prefault({}),
  grace,
});
/** `keep: composition`. */
export const compositionRule = z.strictObject({
  ...anyRule,
  keep: z.literal('composition'),
  while: vocabulary('state', 'a state such as publishing').optional(),
  ...layoutShape,
  capabilities: compositionCapabilities,
  tags: z.array(z.string().min(1).max(512)).default([]),
  grace,
});
/** `keep` with the word of a plugin. */
export const pluginKeeperRule = z.strictObject({
  ...anyRule,
  keep: nameOption,
  with: z.unknown().optional(),
  grants: grantsOption.optional(),
});
/** `use / with`. */
export const pluginRule = z.strictObject({
  ...anyRule,
  use: nameOption,
  with: z.unknown().optional(),
  grants: grantsOption.optional(),
  ...hearingRule,
});

const defaultsOption = z.strictObject({
  mode: modeOption.optional(),
  except: exceptOption.optional(),
  cooldown: cooldownOption.optional(),
  grants: grantsOption.optional(),
  budget: budgetOption.optional(),
});
export type Cooldown = z.infer<typeof cooldownOption>;

/** A bot file; `rules` are checked one by one, each by its shape. */
export const botFile = z.strictObject({
  version: z.literal(1, { error: 'this usher reads bot files of "version: 1"' }),
  bot: nameOption,
  as: z
    .strictObject({
      screenName: z
        .string()
        .min(1)
        .refine((name) => Buffer.byteLength(name) <= MESSAGE_LIMITS.screenName, {
          error: `a screen name has at most ${MESSAGE_LIMITS.screenName} bytes`,
        }),
      role: z.enum(ROLES).default('Moderator'),
    })
    .optional(),
  in: scopeOption.default({}),
  clients: z.literal('cooperating').optional(),
  defaults: defaultsOption.default({}),
  lists: z.record(nameOption, listOption).default({}),
  strikes: z.record(nameOption, ladderOption).default({}),
  notify: z.record(nameOption, webhookOption).default({}),
  rules: z.array(z.unknown().meta({ $ref: '#/$defs/rule' })),
});
export type BotFile = z.infer<typeof botFile>;
