import { z } from 'zod';
import type { TriggerWord } from '../word.ts';

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

export const command: TriggerWord<string> = {
  name: 'command',
  summary: 'A message whose first word is this, in any case; the words after it are `{{args.0}}` and on.',
  example: 'when: {command: "!help"}',
  options: z.string().regex(/^\S{1,64}$/u, 'a command is one word of at most 64 characters'),
  hears: ['message.posted'],
  gives: ['chat', 'message', 'member', 'tags', 'args'],
  compile: (word) => {
    const wanted = folded(word);
    return {
      occurs: (event) =>
        event.type === 'message.posted' &&
        event.own !== true &&
        folded(/^\s*(\S+)/u.exec(event.text.slice(0, 256))?.[1] ?? '') === wanted,
    };
  },
};
