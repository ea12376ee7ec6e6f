import { z } from 'zod';
import type { TriggerWord } from '../word.ts';

export const actionFailed: TriggerWord = {
  name: 'action.failed',
  summary:
    'An action of this bot failed or its fate is unknown; `{{action}}` and `{{detail}}` tell. Failures of what such a rule itself did are passed over, so that none feeds itself.',
  example: 'when: action.failed',
  options: z.null(),
  bare: null,
  hears: ['action.settled'],
  gives: ['chat', 'outcome'],
  compile: (_none, { bot }) => ({
    occurs: (event) =>
      event.type === 'action.settled' &&
      (event.outcome === 'failed' || event.outcome === 'unknown') &&
      event.bot === bot.name &&
      !bot.failureRules.has(event.rule),
  }),
};
