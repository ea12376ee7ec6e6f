import type { MessageToSend } from './schemas/message.ts';

/** Bytes in UTF-8, inclusive (interface.md, "Limits"); `tags` is the sum over all tags. */
export const MESSAGE_LIMITS = { message: 1024, tags: 512, screenName: 128, mimeType: 128 } as const;

/** The most messages that one fetch may ask for (interface.md, "Limits"). */
export const MAX_MESSAGES_PER_FETCH = 128;

export interface MessageExcess {
  readonly field: keyof typeof MESSAGE_LIMITS;
  readonly bytes: number;
  readonly max: number;
}

/** The first limit that a message exceeds, undefined when it fits. */
export function messageExcess(message: MessageToSend): MessageExcess | undefined {
  const bytes: Readonly<Record<keyof typeof MESSAGE_LIMITS, number>> = {
    message: Buffer.byteLength(message.message),
    tags: message.tags.reduce((sum, tag) => sum + Buffer.byteLength(tag), 0),
    screenName: Buffer.byteLength(message.from.screenName),
    mimeType: Buffer.byteLength(message.mimeType),
  };
  for (const field of ['message', 'tags', 'screenName', 'mimeType'] as const)
    if (bytes[field] > MESSAGE_LIMITS[field])
      return { field, bytes: bytes[field], max: MESSAGE_LIMITS[field] };
  return undefined;
}
