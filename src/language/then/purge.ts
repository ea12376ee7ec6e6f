import { z } from 'zod';
import type { ActionWord } from '../word.ts';

const options = z.strictObject({ approved: z.boolean().default(false) });

export const purge: ActionWord<z.infer<typeof options>> = {
  name: 'purge',
  summary: 'Deletes all messages of the room, for good. In `enforce` only with `approved: true`.',
  example: 'then: [{purge: {approved: true}}]',
  options,
  bare: {},
  needs: ['chat'],
  does: ['room.purge'],
  compile: ({ approved }, { rule, spot }) => {
    if (rule.mode === 'enforce' && !approved)
      rule.bot.findings.error(
        spot,
        'purge deletes every message of a room: to let this rule enforce it, write {purge: {approved: true}}',
      );
    return ({ moment: { event }, because }) =>
      event.place?.kind === 'room' ? [{ type: 'room.purge', place: event.place, because }] : [];
  },
};
