import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Loose } from './harness.ts';
import { enc, stage } from './harness.ts';

const DAY = 86_400_000;

async function chat(count: number, options = {}) {
  const on = await stage(options);
  const { roomId } = on.sandbox.createRoom({ alias: 'a' });
  const { sessionId } = on.sandbox.join({ roomId, screenName: 'Ann' });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    ids.push(on.sandbox.say({ roomId, sessionId, message: `${i}` }).messageId);
    if (i % 3 === 0) await on.sandbox.advance(1);
  }
  const list = async (query: Record<string, string | number>) => {
    const text = Object.entries(query)
      .map(([key, value]) => `${key}=${enc(value)}`)
      .join('&');
    return (await on.call('GET', `/room/${enc(roomId)}/messages?${text}`)).json;
  };
  const texts = async (query: Record<string, string | number>) =>
    (await list(query)).messages.map((message: Loose) => Number(message.message)) as number[];
  return { ...on, roomId, sessionId, ids, list, texts };
}

describe('pages of messages', () => {
  test('agree with a slice of the history, whatever the bounds and the limit', async () => {
    const { ids, texts } = await chat(40);
    const all = ids.map((_, i) => i);
    const bound = fc.option(fc.nat(39), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(bound, bound, fc.integer({ min: 1, max: 50 }), async (after, before, limit) => {
        const range = all.slice(
          after === undefined ? 0 : after + 1,
          Math.max(before ?? 40, (after ?? -1) + 1),
        );
        const expected = after === undefined ? range.slice(-limit) : range.slice(0, limit);
        const query: Record<string, string | number> = { limit };
        if (after !== undefined) query.afterMessageId = ids[after]!;
        if (before !== undefined) query.beforeMessageId = ids[before]!;
        expect(await texts(query)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('after alone gives the newest by switch', async () => {
    const { ids, texts } = await chat(10, { switches: { 'page-after': 'newest' } });
    expect(await texts({ afterMessageId: ids[1]!, limit: 3 })).toEqual([7, 8, 9]);
  });

  test('a bound need not exist: one that was purged still parts old from new', async () => {
    const { call, sandbox, roomId, sessionId, ids, texts } = await chat(5);
    await sandbox.advance(10);
    expect((await call('DELETE', `/room/${enc(roomId)}/messages`)).json).toEqual({
      status: 'ok',
      deletedCount: 5,
    });
    sandbox.say({ roomId, sessionId, message: '5' });
    expect(await texts({ afterMessageId: ids[4]! })).toEqual([5]);
    expect(await texts({ beforeMessageId: ids[4]! })).toEqual([]);
    expect(await texts({ afterMessageId: 'zzz' })).toEqual([]);
  });

  test('purged messages stay marked by switch', async () => {
    const { call, sandbox, roomId, list } = await chat(2, { switches: { purge: 'marked' } });
    await call('DELETE', `/room/${enc(roomId)}/messages`);
    const { messages } = await list({});
    expect(messages.map((message: Loose) => message.deletedTimestamp)).toEqual(
      Array(2).fill(sandbox.clock.now()),
    );
    expect((await call('DELETE', `/room/${enc(roomId)}/messages`)).json.deletedCount).toBe(0);
  });

  test.each([
    ['limit=0', 400],
    ['limit=-1', 400],
    ['limit=ten', 400],
    ['limit=129', 413],
    ['limit=128', 200],
  ])('%s answers %d', async (query, http) => {
    const { call, roomId } = await chat(1);
    expect((await call('GET', `/room/${enc(roomId)}/messages?${query}`)).http).toBe(http);
  });

  test('without a limit there are 100, and the rest is announced', async () => {
    const { list } = await chat(103);
    const page = await list({});
    expect([page.messages.length, page.hasMoreBefore, page.hasMoreAfter]).toEqual([100, true, false]);
  });

  test('a filter by type searches the same range', async () => {
    const { sandbox, roomId, sessionId, list } = await chat(3);
    sandbox.say({ roomId, sessionId, message: 'x', mimeType: 'text/x' });
    expect((await list({ limit: 2, mimeTypes: 'text/y' })).messages).toEqual([]);
    expect((await list({ limit: 2, mimeTypes: 'text/x' })).hasMoreBefore).toBe(true);
  });

  test('messages are kept for 90 days', async () => {
    const { sandbox, roomId, sessionId, texts } = await chat(2);
    await sandbox.advance(89 * DAY);
    sandbox.say({ roomId, sessionId, message: '2' });
    expect(await texts({})).toEqual([0, 1, 2]);
    await sandbox.advance(2 * DAY);
    expect(await texts({})).toEqual([2]);
  });
});

describe('message ids', () => {
  test('have three parts and are unique across rooms', async () => {
    const { sandbox, ids } = await chat(1);
    const other = sandbox.createRoom({ alias: 'b' }).roomId;
    const elsewhere = sandbox.say({ roomId: other, screenName: 'Bob', message: 'x' }).messageId;
    expect(elsewhere).not.toBe(ids[0]);
    expect(ids[0]!.split('|')).toEqual([expect.any(String), expect.stringMatching(/^\d{13}$/), '000001']);
  });

  test('the sender is who says so: a session that is no member may speak under any name', async () => {
    const { sandbox, roomId } = await chat(0);
    const from = sandbox.say({
      roomId,
      sessionId: 'nobody',
      screenName: 'Ann',
      role: 'Moderator',
      message: 'x',
    }).from;
    expect(from).toMatchObject({ sessionId: 'nobody', screenName: 'Ann', role: 'Moderator' });
    expect(() => sandbox.say({ roomId, sessionId: 'nobody', message: 'x' })).toThrow(
      'no member with session "nobody"',
    );
    expect(() => sandbox.say({ roomId, screenName: 'A', message: 'ß'.repeat(513) })).toThrow('1026 bytes');
  });
});
