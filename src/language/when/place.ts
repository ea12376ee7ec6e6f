import { z } from 'zod';
import type { Gift } from '../gift.ts';
import type { TriggerWord } from '../word.ts';

type PlaceEvent = 'room.opened' | 'room.closed' | 'channel.opened' | 'channel.closed';

const placeWord = (name: PlaceEvent, summary: string, ...gives: readonly Gift[]): TriggerWord => ({
  name,
  summary,
  example: `when: ${name}`,
  options: z.null(),
  bare: null,
  hears: [name],
  gives,
  compile: () => ({}),
});

export const roomOpened = placeWord('room.opened', 'A room appeared.', 'chat');
export const roomClosed = placeWord('room.closed', 'A room is gone.');
export const channelOpened = placeWord('channel.opened', 'A channel appeared.');
export const channelClosed = placeWord('channel.closed', 'A channel is gone.');
