import { channelHandlers } from './channels.ts';
import type { Handlers } from './handler.ts';
import { mediaHandlers } from './media.ts';
import { messageHandlers } from './messages.ts';
import { roomHandlers } from './rooms.ts';
import { streamHandlers } from './streams.ts';

/** What each operation of the table does to the world. */
export const handlers: Handlers = {
  ...streamHandlers,
  ...channelHandlers,
  ...roomHandlers,
  ...messageHandlers,
  ...mediaHandlers,
};
