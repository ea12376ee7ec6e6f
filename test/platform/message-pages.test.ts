import { describe, expect, test } from 'vitest';
import type { MessageWalk, OperationInput } from '../../src/platform/index.ts';
import { messagePages } from '../../src/platform/message-pages.ts';
import { message as messageSchema } from '../../src/platform/schemas/message.ts';
import { message } from './samples.ts';

const ids = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'];

/** A room with seven messages, every third of them an image, that answers as interface.md, endpoint 27 says. */
function room() {
  const asked: OperationInput<'listMessages'>[] = [];
  const list = (input: OperationInput<'listMessages'>) => {
    asked.push(input);
    const { limit = 100, afterMessageId = '', beforeMessageId = '~' } = input;
    const range = ids.filter((id) => id > afterMessageId && id < beforeMessageId);
    const page = input.afterMessageId === undefined ? range.slice(-limit) : range.slice(0, limit);
    const messages = page.map((id) =>
      messageSchema.parse(message(id, Number(id.slice(1)) % 3 === 0 ? 'image/png' : 'text/plain')),
    );
    return Promise.resolve({
      status: 'ok' as const,
      messages,
      hasMoreBefore: ids[0]! < (page[0] ?? 'm1'),
      hasMoreAfter: (page.at(-1) ?? 'm7') < ids.at(-1)!,
    });
  };
  return { asked, list };
}

async function walk(options: MessageWalk, most = Infinity): Promise<{ seen: string[]; requests: number }> {
  const { asked, list } = room();
  const seen: string[] = [];
  for await (const { messageId } of messagePages(list, 'r', options)) {
    seen.push(messageId);
    if (seen.length >= most) break;
  }
  expect(asked.every(({ mimeTypes, roomId }) => mimeTypes === undefined && roomId === 'r')).toBe(true);
  return { seen, requests: asked.length };
}

describe('the messages of a room', () => {
  test.each<[string, MessageWalk, string[], number]>([
    ['from the newest back', { pageSize: 3 }, ids.toReversed(), 3],
    ['back from a bound', { pageSize: 3, beforeMessageId: 'm4' }, ['m3', 'm2', 'm1'], 1],
    ['forward from a bound', { pageSize: 3, afterMessageId: 'm2' }, ['m3', 'm4', 'm5', 'm6', 'm7'], 2],
    [
      'between two bounds',
      { pageSize: 2, afterMessageId: 'm2', beforeMessageId: 'm6' },
      ['m3', 'm4', 'm5'],
      3,
    ],
    [
      'of some types, past pages without any',
      { pageSize: 1, afterMessageId: 'm2', mimeTypes: ['image/png'] },
      ['m3', 'm6'],
      5,
    ],
    ['after the newest', { afterMessageId: 'm7' }, [], 1],
    ['in pages of the greatest size', {}, ids.toReversed(), 1],
  ])('%s', async (_, options, expected, requests) => {
    expect(await walk(options)).toEqual({ seen: expected, requests });
  });

  test('are fetched only as far as they are read', async () => {
    expect(await walk({ pageSize: 2 }, 2)).toEqual({ seen: ['m7', 'm6'], requests: 1 });
  });

  test('end in an error, not in a circle, when the platform gives a bound again', async () => {
    const stuck = () =>
      Promise.resolve({
        status: 'ok' as const,
        messages: [messageSchema.parse(message('m1'))],
        hasMoreBefore: true,
        hasMoreAfter: true,
      });
    const read = async (): Promise<number> => {
      let count = 0;
      for await (const _ of messagePages(stuck, 'r', { afterMessageId: 'm0' })) count += 1;
      return count;
    };
    await expect(read()).rejects.toMatchObject({ code: 'protocol' });
  });
});
