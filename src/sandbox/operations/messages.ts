import { messageExcess } from '../../platform/index.ts';
import { ok, refuse } from '../http/reply.ts';
import { MESSAGE_PAGE, page, post, purge } from '../world/chat.ts';
import type { Handlers } from './handler.ts';
import { withPlace } from './places.ts';

/** interface.md, endpoints 26 to 28. */
export const messageHandlers: Handlers<'sendMessage' | 'listMessages' | 'purgeMessages'> = {
  sendMessage: ({ world }, { params, body: { message } }) =>
    withPlace(world, 'room', params.roomId, 'not-found', (place) => {
      const { sessionId, ...from } = message.from;
      const draft = { ...message, from: sessionId === undefined ? from : { sessionId, ...from } };
      const excess = messageExcess(draft);
      return excess === undefined
        ? ok({ message: post(world, place, draft) })
        : refuse(413, `${excess.field}-too-large`, { hint: `${excess.bytes} bytes; at most ${excess.max}.` });
    }),

  listMessages: ({ world }, { params, query }) =>
    withPlace(world, 'room', params.roomId, 'not-found', (place) => {
      const limit = query.limit ?? MESSAGE_PAGE.default;
      if (limit > MESSAGE_PAGE.max) return refuse(413, 'limit-too-large');
      if (limit < 1) return refuse(400, 'bad-request', { hint: 'limit is at least 1.' }, 'page-limit');
      const { beforeMessageId: before, afterMessageId: after } = query;
      const found = page(world, place, {
        limit,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      });
      const types = query.mimeTypes?.split(',').map((type) => type.trim());
      const messages = types
        ? found.messages.filter((message) => types.includes(message.mimeType))
        : found.messages;
      const fields = { ...found, messages };
      return after !== undefined && before === undefined ? ok(fields, 'page-after') : ok(fields);
    }),

  purgeMessages: ({ world }, { params }) =>
    withPlace(world, 'room', params.roomId, 'not-found', (place) =>
      ok({ deletedCount: purge(world, place) }, 'purge'),
    ),
};
