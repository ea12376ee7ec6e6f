import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { message, messageToSend } from '../schemas/message.ts';
import { id, none, notFound, ok, rateLimited, wholeNumber } from './parts.ts';

const roomParams = z.object({ roomId: id });

/** interface.md, endpoints 26 to 28. */
export const messageOperations = {
  sendMessage: {
    number: 26,
    method: 'PUT',
    prefix: 'svc',
    path: '/room/{roomId}/message',
    authentication: 'basic',
    params: roomParams,
    query: none,
    request: z.object({ message: messageToSend }),
    response: ok({ message }),
    success: 200,
    statuses: [notFound(), { http: 413, status: [], when: 'a size limit is exceeded' }, rateLimited],
    safety: 'unsafe',
    already: [],
    summary: 'Sends a message to a room.',
  },
  listMessages: {
    number: 27,
    method: 'GET',
    prefix: 'svc',
    path: '/room/{roomId}/messages',
    authentication: 'basic',
    params: roomParams,
    query: z.object({
      limit: wholeNumber.optional(),
      beforeMessageId: z.string().optional(),
      afterMessageId: z.string().optional(),
      /** Comma-separated; can empty a page and so hide the cursor: filter locally instead. */
      mimeTypes: z.string().optional(),
    }),
    request: null,
    response: ok({ messages: z.array(message), hasMoreBefore: z.boolean(), hasMoreAfter: z.boolean() }),
    success: 200,
    statuses: [notFound(), { http: 413, status: ['limit-too-large'] }, rateLimited],
    safety: 'read',
    already: [],
    summary: 'Fetches messages of a room in ascending order; both bounds are exclusive.',
  },
  purgeMessages: {
    number: 28,
    method: 'DELETE',
    prefix: 'svc',
    path: '/room/{roomId}/messages',
    authentication: 'basic',
    params: roomParams,
    query: none,
    request: null,
    response: ok({ deletedCount: z.int() }),
    success: 200,
    statuses: [notFound()],
    safety: 'idempotent',
    already: [],
    emptyBody: true,
    summary: 'Purges all messages of a room.',
  },
} as const satisfies Record<string, Operation>;
