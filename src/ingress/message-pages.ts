import type { Message } from '../platform/index.ts';
import type { MessagePage } from './polling-client.ts';

/** Both bounds exclusive. Without `after` only what the platform holds newest is sure to come first. */
export interface MessageRange {
  readonly after?: string;
  readonly before?: string;
}

/** interface.md, "Limits". */
export const PAGE_LIMIT = 128;

/** Pages that are kept while older ones are read; what lies beyond is asked for a second time. */
const HELD_PAGES = 32;

/**
 * All messages of a range, ascending, page by page. The interface does not say which end of a range a full page shows:
 * what lies on either side of it is asked for, as far as the answers admit that there is more. Reading on, towards newer
 * ones, ends where `more` says no; what was read is given all the same.
 */
export async function* messagePages(
  fetch: (range: MessageRange) => Promise<MessagePage>,
  range: MessageRange,
  more: () => boolean = () => true,
  held = 0,
): AsyncGenerator<readonly Message[], void, undefined> {
  let page: MessagePage | undefined = await fetch(range);
  const { hasMoreBefore, hasMoreAfter } = page;
  const firstId = page.messages[0]?.messageId;
  const lastId = page.messages.at(-1)?.messageId;
  if (firstId === undefined || lastId === undefined) return;
  const full = page.messages.length >= PAGE_LIMIT;
  if (full && hasMoreBefore && (!hasMoreAfter || range.before !== undefined)) {
    if (held >= HELD_PAGES) page = undefined;
    let { after } = range;
    for await (const older of messagePages(fetch, { ...range, before: firstId }, more, held + 1)) {
      after = older.at(-1)?.messageId ?? after;
      yield older;
    }
    if (page === undefined) {
      yield* messagePages(fetch, { ...range, ...(after !== undefined && { after }) }, more);
      return;
    }
  }
  yield page.messages;
  if (hasMoreAfter && (full || range.before === undefined) && more()) {
    yield* messagePages(fetch, { ...range, after: lastId }, more, held);
  }
}
