import { ProtocolError } from './errors.ts';
import { MAX_MESSAGES_PER_FETCH } from './message-limits.ts';
import type { OperationInput, OperationResult } from './operations.ts';
import type { CallOptions } from './perform-call.ts';
import type { Message } from './schemas/message.ts';

/** Which messages of a room to walk through, and in which direction. */
export interface MessageWalk extends CallOptions {
  /** Walks forward from here, oldest first, to the newest there is. Without it the walk goes back from the newest. */
  readonly afterMessageId?: string;
  /** The walk stays below. */
  readonly beforeMessageId?: string;
  /** Only these, filtered here: the platform's own filter can empty a page and so lose the place in the room. */
  readonly mimeTypes?: readonly string[];
  /** Messages per request; the platform's maximum when absent. */
  readonly pageSize?: number;
}

type ListMessages = (
  input: OperationInput<'listMessages'>,
  options: CallOptions,
) => Promise<OperationResult<'listMessages'>>;

/** Messages of a room one by one, page after page (interface.md, endpoint 27); a page is fetched when it is needed. */
export async function* messagePages(
  listMessages: ListMessages,
  roomId: string,
  walk: MessageWalk,
): AsyncGenerator<Message, void, undefined> {
  const { afterMessageId, beforeMessageId, mimeTypes, pageSize: limit = MAX_MESSAGES_PER_FETCH } = walk;
  const forward = afterMessageId !== undefined;
  let cursor = forward ? afterMessageId : beforeMessageId;
  for (;;) {
    const bounds = forward ? { afterMessageId: cursor, beforeMessageId } : { beforeMessageId: cursor };
    const page = await listMessages({ roomId, limit, ...bounds }, walk);
    const messages = forward ? page.messages : page.messages.toReversed();
    for (const message of messages)
      if (mimeTypes === undefined || mimeTypes.includes(message.mimeType)) yield message;
    const last = messages.at(-1)?.messageId;
    if (last === undefined || !(forward ? page.hasMoreAfter : page.hasMoreBefore)) return;
    if (last === cursor) throw stuck(cursor);
    cursor = last;
  }
}

const stuck = (messageId: string): ProtocolError =>
  new ProtocolError(
    { operation: 'listMessages', outcome: 'nothing', attempts: 1 },
    `a page ends with message ${messageId}, which was its exclusive bound`,
  );
