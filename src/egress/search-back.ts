import type { Message } from '../platform/index.ts';
import type { Ask } from './deed.ts';
import { asked } from './asked.ts';
import type { PlatformPort } from './platform-port.ts';

const PAGE = 128;
const MOST_PAGES = 16;

/** Clocks drift, and a request may land a little before it was marked by a clock that runs behind. */
const MARGIN_MS = 60_000;

/**
 * Looks at a room's messages from the newest back until `seen` says that it has what it wants, or all that can hold it
 * was shown: then `absent`. `unclear` when there is more of it than can be searched. Ages are measured between the
 * platform's own times, since its clock need not be ours.
 */
export async function searchBack(
  client: Pick<PlatformPort, 'listMessages'>,
  ask: Ask,
  search: { readonly roomId: string; readonly sinceMs: number; readonly seen: (message: Message) => boolean },
): Promise<'found' | 'absent' | 'unclear'> {
  let before: { readonly beforeMessageId?: string } = {};
  let newestAt: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    await ask.token();
    const { messages, hasMoreBefore } = await client.listMessages(
      { roomId: search.roomId, limit: PAGE, ...before },
      asked(ask),
    );
    for (const message of messages.toReversed()) if (search.seen(message)) return 'found';
    const [oldest] = messages;
    newestAt ??= messages.at(-1)?.timestamp;
    if (!oldest || newestAt === undefined || !hasMoreBefore) return 'absent';
    if (oldest.timestamp < newestAt - search.sinceMs - MARGIN_MS) return 'absent';
    before = { beforeMessageId: oldest.messageId };
  }
  return 'unclear';
}
