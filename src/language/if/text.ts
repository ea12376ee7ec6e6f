import { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import { foldOption, matchOption } from '../text-options.ts';
import type { Scan } from '../text-index.ts';
import type { ConditionWord, Site } from '../word.ts';

const term = z.string().min(1).max(256);
const options = z
  .strictObject({
    any: z.array(term).min(1).optional(),
    list: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
    pattern: z.string().min(1).max(2_000).optional(),
    match: matchOption,
    fold: foldOption,
  })
  .refine(
    ({ any, list, pattern }) => [any, list, pattern].filter((given) => given !== undefined).length === 1,
    'give exactly one of any, list and pattern; several texts are several conditions',
  )
  .refine(
    ({ any, match, fold }) => any !== undefined || (match === undefined && fold === undefined),
    '"match" and "fold" go with "any"; a list has its own under "lists", a pattern has none',
  );
type TextOptions = z.infer<typeof options>;

export const text: ConditionWord<TextOptions> = {
  name: 'text',
  summary:
    'The message has a word of `any` or of a `list`, or a place that fits the RE2 `pattern` (linear time; refused at load if RE2 cannot run it).',
  example: 'if: {text: {list: slurs}}',
  options,
  needs: ['message'],
  gives: ['match'],
  compile: (given, site) => {
    const scans = scansOf(given, site);
    return {
      cost: given.pattern === undefined ? 20 : 30,
      test: ({ event }) => {
        if (event.type !== 'message.posted') return undefined;
        for (const scan of scans) {
          const match = scan(event);
          if (match !== undefined) return { match };
        }
        return undefined;
      },
    };
  },
};

function scansOf({ any, list, pattern, match, fold }: TextOptions, { rule, spot }: Site): readonly Scan[] {
  const { bot } = rule;
  if (any !== undefined)
    return [bot.text.words(spot.get('any') ?? spot, any, { ...(match && { match }), ...(fold && { fold }) })];
  if (pattern !== undefined) return [bot.text.pattern(spot.get('pattern') ?? spot, pattern)];
  const names = list === undefined ? [] : [list].flat();
  return names.flatMap((name, index) => {
    const at = spot.get('list');
    if (!bot.lists.has(name)) {
      const where = at?.kind === 'list' ? (at.get(index) ?? at) : (at ?? spot);
      bot.findings.error(where, `unknown list "${name}"${didYouMean(name, bot.lists.keys())}`);
      return [];
    }
    rule.useList(name);
    return [bot.text.list(name)];
  });
}
