import { z } from 'zod';
import type { TriggerWord } from '../word.ts';

const count = z.int().min(1).max(100_000).optional();
const options = z
  .strictObject({ crosses: count, up: count, down: count })
  .refine((given) => Object.keys(given).length === 1, 'give one of crosses, up and down');

export const publishersCross: TriggerWord<z.infer<typeof options>> = {
  name: 'publishers',
  summary:
    'The number of publishers of a room or channel reaches a threshold (`up`), falls below it (`down`), or either (`crosses`). `{{n}}` is the new number.',
  example: 'when: {publishers: {crosses: 2}}',
  options,
  hears: ['publishers.changed'],
  gives: ['chat', 'number'],
  compile: ({ crosses, up, down }) => {
    const at = crosses ?? up ?? down ?? 1;
    return {
      occurs: (event) =>
        event.type === 'publishers.changed' &&
        ((down === undefined && event.from < at && event.to >= at) ||
          (up === undefined && event.from >= at && event.to < at)),
    };
  },
};
