import type { Message } from '../platform/index.ts';
import type { MessagePage } from './polling-client.ts';

/** Both bounds exclusive. Without `after` only what the platform holds newest is sure to come first. */
export interface MessageRange {
  readonly after?: string;
  readonly before?: string;
}

/** interface.md, "Limits". */
export const PAGE_LIMIT = 128;

/**
 * All messages of a range, ascending, page by page. The interface does not say which end of a range a full page shows:
 * what lies on either side of it is asked for, as far as the answers admit that there is more.
 */
export async function* messagePages(
  fetch: (range: MessageRange) => Promise<MessagePage>,
  range: MessageRange,
): AsyncGenerator<readonly Message[], void, undefined> {
  const { messages, hasMoreBefore, hasMoreAfter } = await fetch(range);
  const first = messages[0];
  const last = messages.at(-1);
  if (!first || !last) return;
  const full = messages.length >= PAGE_LIMIT;
  if (full && hasMoreBefore && (!hasMoreAfter || range.before !== undefined)) {
    yield* messagePages(fetch, { ...range, before: first.messageId });
  }
  yield messages;
  if (hasMoreAfter && (full || range.before === undefined)) {
    yield* messagePages(fetch, { ...range, after: last.messageId });
  }
}
