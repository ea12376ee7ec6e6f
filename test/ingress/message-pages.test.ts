import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { messagePages, PAGE_LIMIT, type MessageRange } from '../../src/ingress/message-pages.ts';
import type { Message } from '../../src/platform/index.ts';

const message = (n: number): Message => ({
  messageId: String(n).padStart(6, '0'),
  timestamp: n,
  deletedTimestamp: 0,
  from: { screenName: 'Ann', role: 'Audience', lastUpdate: 0 },
  mimeType: 'text/plain',
  message: '',
  tags: [],
});

/** A history whose full pages show either end of the range, and whose flags speak of the page or of the range. */
function history(size: number, end: 'oldest' | 'newest', shy: boolean) {
  const all = Array.from({ length: size }, (_, n) => message(n));
  let requests = 0;
  return {
    all,
    requests: () => requests,
    fetch: async ({ after, before }: MessageRange) => {
      requests += 1;
      const range = all.filter(
        ({ messageId }) =>
          (after === undefined || messageId > after) && (before === undefined || messageId < before),
      );
      const oldest = end === 'oldest' && after !== undefined;
      const messages = oldest ? range.slice(0, PAGE_LIMIT) : range.slice(-PAGE_LIMIT);
      const first = messages[0]?.messageId ?? after ?? '';
      const last = messages.at(-1)?.messageId ?? before ?? '999999';
      // A shy platform admits only what the range itself leaves out.
      const pool = shy ? range : all;
      return {
        messages,
        hasMoreBefore: pool.some(({ messageId }) => messageId < first),
        hasMoreAfter: pool.some(({ messageId }) => messageId > last),
      };
    },
  };
}

test('all messages of a range come once and in order, whichever end a full page shows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5 * PAGE_LIMIT }),
      fc.option(fc.nat(5 * PAGE_LIMIT)),
      fc.constantFrom('oldest' as const, 'newest' as const),
      fc.boolean(),
      async (size, cursor, end, shy) => {
        const { all, fetch } = history(size, end, shy);
        const after = cursor === null || cursor >= size ? undefined : all[cursor]?.messageId;
        const read: string[] = [];
        for await (const page of messagePages(fetch, after === undefined ? {} : { after })) {
          expect(page.length).toBeGreaterThan(0);
          read.push(...page.map(({ messageId }) => messageId));
        }
        const wanted = all.filter(({ messageId }) => after === undefined || messageId > after);
        expect(read).toEqual(wanted.map(({ messageId }) => messageId));
      },
    ),
    { numRuns: 60 },
  );
});

test('a page that is not full costs one request', async () => {
  const { all, fetch, requests } = history(50, 'oldest', false);
  for await (const page of messagePages(fetch, { after: all[10]!.messageId })) expect(page).toHaveLength(39);
  expect(requests()).toBe(1);
});
