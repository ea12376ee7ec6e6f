import { z } from 'zod';
import type { ActionWord } from '../word.ts';

const options = z.enum(['message', 'matched']);

export const hide: ActionWord<z.infer<typeof options>> = {
  name: 'hide',
  summary:
    'Asks clients to hide the message; `hide: matched` also the earlier ones that a `rate` counted. Advisory: clients that do not know the marker show them still.',
  example: 'then: [hide]',
  options,
  bare: 'message',
  needs: ['message'],
  does: ['message.hide'],
  compile: (which) => (occasion) => {
    const { event } = occasion.moment;
    if (event.type !== 'message.posted') return [];
    const earlier = which === 'matched' ? (occasion.evidence.messageIds ?? []) : [];
    const messageIds = [...new Set([...earlier, event.messageId])];
    return [{ type: 'message.hide', place: event.place, messageIds, because: occasion.because }];
  },
};
