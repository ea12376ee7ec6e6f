import { z } from 'zod';
import type { UsherEvent } from '../../domain/event.ts';
import type { Gift } from '../gift.ts';
import type { TriggerWord } from '../word.ts';

type StreamEvent = 'stream.started' | 'stream.ended' | 'stream.live' | 'stream.onDemand';

/** What we made ourselves starts no rule, and neither does a start whose end was seen before. */
const counts = (event: UsherEvent): boolean =>
  'streamId' in event && !('own' in event && event.own) && !('late' in event && event.late);

const streamWord = (name: StreamEvent, summary: string, ...more: readonly Gift[]): TriggerWord => ({
  name,
  summary,
  example: `when: ${name}`,
  options: z.null(),
  bare: null,
  hears: [name],
  gives: ['chat', 'member', 'stream', 'tags', ...more],
  compile: () => ({ occurs: counts }),
});

export const streamStarted = streamWord(
  'stream.started',
  'Somebody publishes. A start that arrives after its end is passed over.',
  'live',
);
export const streamEnded = streamWord('stream.ended', 'A stream ended.');
export const streamLive = streamWord('stream.live', "A stream's live playlist is ready.", 'live');
export const streamOnDemand = streamWord('stream.onDemand', "A stream's recording is ready.");
