import type { Message } from '../../platform/index.ts';
import { MAX_MESSAGES_PER_FETCH, MESSAGE_LIMITS, operations } from '../../platform/index.ts';
import type { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { answers, fits, hold } from './judge.ts';
import type { Answer } from './wire.ts';

const { sendMessage, listMessages, purgeMessages } = operations;
const NOBODY = { roomId: 'us-northeast#nobody#nothing.000000000000' };

interface Draft {
  readonly message?: string;
  readonly mimeType?: string;
  readonly tags?: readonly string[];
  readonly screenName?: string;
}

const post = (bench: Bench, roomId: string, draft: Draft = {}): Promise<Answer> =>
  bench.call('sendMessage', {
    params: { roomId },
    body: {
      message: {
        from: { screenName: draft.screenName ?? 'Suite', role: 'Participant', lastUpdate: Date.now() },
        mimeType: draft.mimeType ?? 'text/plain',
        message: draft.message ?? 'hello',
        tags: draft.tags ?? [],
      },
    },
  });

const list = async (bench: Bench, roomId: string, query: Record<string, string | number> = {}) =>
  fits(await bench.call('listMessages', { params: { roomId }, query }), listMessages.response.schema);

async function roomWith(
  bench: Bench,
  texts: readonly string[],
): Promise<{ roomId: string; sent: Message[] }> {
  const { roomId } = await bench.room();
  const sent: Message[] = [];
  for (const message of texts) {
    const answer = await post(bench, roomId, { message });
    sent.push(fits(answer, sendMessage.response.schema).message);
  }
  return { roomId, sent };
}

const texts = (page: { readonly messages: readonly { readonly message: string }[] }): string =>
  page.messages.map(({ message }) => message).join('');

const limits = Object.entries(MESSAGE_LIMITS).map(([field, max]) =>
  check(
    'sendMessage',
    `limit.${field}`,
    `The limit of ${field}: a size equal to it passes, one more gives 413.`,
    async (bench) => {
      const { roomId } = await bench.room();
      const draft = (bytes: number): Draft => {
        const text = 'x'.repeat(bytes - 2) + 'ß'; // two bytes in UTF-8: sizes are bytes, not characters
        return field === 'tags' ? { tags: [text.slice(0, 3), text.slice(3)] } : { [field]: text };
      };
      answers(await post(bench, roomId, draft(max)), 200);
      answers(await post(bench, roomId, draft(max + 1)), 413);
    },
  ),
);

/** interface.md, endpoints 26 to 28. */
export const messageChecks: readonly Check[] = [
  check(
    'sendMessage',
    '200',
    'The service returns identifier and timestamps; deletedTimestamp is 0.',
    async (bench) => {
      const { sent } = await roomWith(bench, ['one 😀']);
      hold(sent[0]?.message === 'one 😀', 'the text came back changed');
      hold(sent[0].deletedTimestamp === 0, 'deletedTimestamp is not 0');
    },
  ),
  check('sendMessage', '404.not-found', 'An unknown room gives 404.', async (bench) =>
    answers(await post(bench, NOBODY.roomId), 404, 'not-found'),
  ),
  check('sendMessage', '413', 'A size limit that is exceeded gives 413.', async (bench) => {
    const { roomId } = await bench.room();
    answers(await post(bench, roomId, { message: 'x'.repeat(MESSAGE_LIMITS.message + 1) }), 413);
  }),
  ...limits,
  check(
    'listMessages',
    '200',
    'Messages come in ascending order, the newest limit of them.',
    async (bench) => {
      const { roomId } = await roomWith(bench, ['a', 'b', 'c', 'd']);
      hold(texts(await list(bench, roomId)) === 'abcd', 'not all, or not ascending');
      const page = await list(bench, roomId, { limit: 2 });
      hold(
        texts(page) === 'cd' && page.hasMoreBefore && !page.hasMoreAfter,
        'limit does not give the newest',
      );
    },
  ),
  check('listMessages', 'range', 'Both bounds of the range are exclusive.', async (bench) => {
    const { roomId, sent } = await roomWith(bench, ['a', 'b', 'c', 'd', 'e']);
    const [afterMessageId, beforeMessageId] = [sent[1]?.messageId ?? '', sent[3]?.messageId ?? ''];
    hold(texts(await list(bench, roomId, { afterMessageId })) === 'cde', 'afterMessageId is not exclusive');
    hold(texts(await list(bench, roomId, { beforeMessageId })) === 'abc', 'beforeMessageId is not exclusive');
    const between = await list(bench, roomId, { afterMessageId, beforeMessageId });
    hold(
      texts(between) === 'c' && between.hasMoreBefore && between.hasMoreAfter,
      'the range between is wrong',
    );
  }),
  check('listMessages', 'mimeTypes', 'Only those types are returned.', async (bench) => {
    const { roomId } = await roomWith(bench, ['a']);
    await post(bench, roomId, { message: 'b', mimeType: 'text/html' });
    hold(texts(await list(bench, roomId, { mimeTypes: 'text/html,image/png' })) === 'b', 'another type came');
  }),
  check('listMessages', '404.not-found', 'An unknown room gives 404.', async (bench) =>
    answers(await bench.call('listMessages', { params: NOBODY }), 404, 'not-found'),
  ),
  check('listMessages', '413.limit-too-large', 'A limit above the maximum gives 413.', async (bench) => {
    const { roomId } = await bench.room();
    const at = (limit: number): Promise<Answer> =>
      bench.call('listMessages', { params: { roomId }, query: { limit } });
    answers(await at(MAX_MESSAGES_PER_FETCH), 200);
    answers(await at(MAX_MESSAGES_PER_FETCH + 1), 413, 'limit-too-large');
  }),
  check('purgeMessages', '200', 'Purges all messages and says how many.', async (bench) => {
    const { roomId } = await roomWith(bench, ['a', 'b', 'c']);
    const answer = await bench.call('purgeMessages', { params: { roomId } });
    const { deletedCount } = fits(answer, purgeMessages.response.schema);
    hold(deletedCount === 3, `deletedCount is ${deletedCount}, not 3`);
    const left = (await list(bench, roomId)).messages.filter((message) => message.deletedTimestamp === 0);
    hold(left.length === 0, `${left.length} messages are left`);
  }),
  check('purgeMessages', '404.not-found', 'An unknown room gives 404.', async (bench) =>
    answers(await bench.call('purgeMessages', { params: NOBODY }), 404, 'not-found'),
  ),
];
