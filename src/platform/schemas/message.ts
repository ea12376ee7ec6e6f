import { z } from 'zod';
import { role } from './member.ts';
import { unixTime } from './unix-time.ts';

/** Who sent a message, as the sender says: `role` proves nothing (interface.md, "Message user object"). */
const messageUser = z.object({
  sessionId: z.string().optional(),
  screenName: z.string(),
  role,
  lastUpdate: unixTime,
});

/** interface.md, "Message object"; times in ms since 1970, `deletedTimestamp` 0 while not deleted. */
export const message = z.object({
  messageId: z.string(),
  timestamp: unixTime,
  deletedTimestamp: unixTime,
  from: messageUser,
  mimeType: z.string(),
  /** Base64 where the content is binary. */
  message: z.string(),
  tags: z.array(z.string()),
});
export type Message = z.output<typeof message>;

/** What sends a message (interface.md, endpoint 26); its sizes are limited in bytes, see `MESSAGE_LIMITS`. */
export const messageToSend = z.object({
  from: z.object({ ...messageUser.shape, lastUpdate: z.int().min(0) }),
  mimeType: z.string(),
  message: z.string(),
  tags: z.array(z.string()),
});
export type MessageToSend = z.input<typeof messageToSend>;
