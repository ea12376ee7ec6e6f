import { z } from 'zod';
import type { TriggerWord } from '../word.ts';

export const message: TriggerWord = {
  name: 'message',
  summary: 'A message was posted. What this bot says itself is never heard.',
  example: 'when: message',
  options: z.null(),
  bare: null,
  hears: ['message.posted'],
  gives: ['chat', 'message', 'member', 'tags'],
  compile: () => ({ occurs: (event) => event.type === 'message.posted' && event.own !== true }),
};
