import type { z } from 'zod';
import { HOLDS } from '../evidence.ts';
import { compileTags, tagOption } from '../tag-filter.ts';
import type { ConditionWord } from '../word.ts';

export const tags: ConditionWord<z.infer<typeof tagOption>> = {
  name: 'tags',
  summary: 'The message or stream has `any`, `all` or `none` of these tags (globs).',
  example: 'if: {tags: {any: ["kind:show"], none: ["test:*"]}}',
  options: tagOption,
  needs: ['tags'],
  compile: (options) => {
    const fits = compileTags(options);
    return { cost: 3, test: ({ event }) => ('tags' in event && fits(event.tags) ? HOLDS : undefined) };
  },
};
