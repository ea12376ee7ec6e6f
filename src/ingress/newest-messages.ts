import type { Message } from '../platform/index.ts';
import { PAGE_LIMIT, type MessageRange } from './message-pages.ts';
import type { MessagePage } from './polling-client.ts';

/** What is read back at most without a cursor, in pages; a room is rarely ahead of it in five minutes. */
const MOST_PAGES = 32;

/**
 * The newest messages of a room, ascending, read back page by page to those of the time `oldest` (ms since 1970) or to
 * the beginning. `cut`: there are more that are young enough, and they are not read.
 */
export async function newestMessages(
  fetch: (range: MessageRange) => Promise<MessagePage>,
  oldest: number,
): Promise<{ readonly messages: readonly Message[]; readonly cut: boolean }> {
  let messages: readonly Message[] = [];
  let range: MessageRange = {};
  for (let pages = 1; ; pages += 1) {
    const page = await fetch(range);
    messages = [...page.messages, ...messages];
    const [first] = page.messages;
    const whole = !first || !page.hasMoreBefore || page.messages.length < PAGE_LIMIT;
    if (whole || first.timestamp < oldest) return { messages, cut: false };
    if (pages === MOST_PAGES) return { messages, cut: true };
    range = { before: first.messageId };
  }
}
