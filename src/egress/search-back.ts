import type { Message } from '../platform/index.ts';
import type { KnownMessage } from './action-history.ts';
import { asked } from './asked.ts';
import type { Ask } from './deed.ts';
import type { PlatformPort } from './platform-port.ts';

const PAGE = 128;
const MOST_PAGES = 16;

/** The platform's own clock may be set back a little; its order of messages is what counts. */
const MARGIN_MS = 60_000;

/**
 * Looks at a room's messages from the newest back until `seen` says that it has what it wants, or all since `known` was
 * shown: then `absent`. `unclear` when there is more of it than can be searched. Times are compared with the platform's
 * own only.
 */
export async function searchBack(
  client: Pick<PlatformPort, 'listMessages'>,
  ask: Ask,
  search: {
    readonly roomId: string;
    /** Older than all that is looked for; without one the whole room is searched. */
    readonly known: KnownMessage | undefined;
    readonly seen: (message: Message) => boolean;
  },
): Promise<'found' | 'absent' | 'unclear'> {
  const { roomId, known, seen } = search;
  let before: { readonly beforeMessageId?: string } = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    await ask.token();
    const { messages, hasMoreBefore } = await client.listMessages(
      { roomId, limit: PAGE, ...before },
      asked(ask),
    );
    for (const message of messages.toReversed()) {
      if (seen(message)) return 'found';
      if (known && (message.messageId === known.messageId || message.timestamp < known.at - MARGIN_MS))
        return 'absent';
    }
    const [oldest] = messages;
    if (!oldest || !hasMoreBefore) return 'absent';
    before = { beforeMessageId: oldest.messageId };
  }
  return 'unclear';
}
