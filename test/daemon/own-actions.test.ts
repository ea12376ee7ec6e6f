import { describe, expect, test } from 'vitest';
import { OwnActions } from '../../src/daemon/own-actions.ts';
import type { ActionSettled } from '../../src/domain/event.ts';
import type { ActionRecord, Journaled, JournalQuery } from '../../src/engine/ports.ts';

const settled = (action: string, messageId?: string): ActionSettled => ({
  type: 'action.settled',
  id: `action.settled ${action}`,
  at: 0,
  seenAt: 0,
  source: 'outcome',
  action,
  actionType: 'message.send',
  bot: 'house',
  rule: 'hello',
  outcome: 'performed',
  detail: '',
  result: messageId === undefined ? {} : { messageId },
});
const decided = (id: string): ActionRecord => ({
  action: {
    id,
    type: 'log.write',
    text: '',
    bot: 'house',
    rule: 'hello',
    because: [],
    guarantee: 'exact',
    as: { screenName: 'House', role: 'Moderator' },
    decidedAt: 0,
  },
  lane: 'daemon',
  mode: 'enforce',
});

describe('own actions', () => {
  test('an action that nobody decided is not ours', () => {
    expect(new OwnActions().knows('a', 'm1')).toBe(false);
  });

  test('while its answer is under way the tag counts, afterwards only the message that it made', () => {
    const own = new OwnActions();
    own.decided(decided('a'));
    expect(own.knows('a', 'm1')).toBe(true);
    own.settled(settled('a', 'm1'));
    expect([own.knows('a', 'm1'), own.knows('a', 'a copy')]).toEqual([true, false]);
  });

  test('what made no message is known by its tag', () => {
    const own = new OwnActions();
    own.settled(settled('composition'));
    expect(own.knows('composition', 'stream')).toBe(true);
  });

  test('an earlier life of the daemon is recalled, the newest last', async () => {
    const own = new OwnActions();
    const row = (seq: number, event: ActionSettled) => ({ seq, lane: 'daemon' as const, event });
    await own.recall({ read: async () => [row(2, settled('a', 'm2')), row(1, settled('b', 'm1'))] });
    expect([own.knows('a', 'm2'), own.knows('b', 'm1'), own.knows('b', 'm2')]).toEqual([true, true, false]);
  });

  test('a long life is recalled page by page, the newest of it, and no further than it is remembered', async () => {
    const own = new OwnActions();
    const asked: JournalQuery[] = [];
    const read = async (query: JournalQuery): Promise<readonly Journaled[]> => {
      asked.push(query);
      const newest = Math.min(25_000, (query.beforeSeq ?? Infinity) - 1);
      return Array.from({ length: query.limit ?? 0 }, (_, n) => ({
        seq: newest - n,
        lane: 'daemon' as const,
        event: settled(`a${newest - n}`, `m${newest - n}`),
      }));
    };
    await own.recall({ read });
    expect([25_000, 5_001, 5_000].map((n) => own.knows(`a${n}`, `m${n}`))).toEqual([true, true, false]);
    expect(Math.max(...asked.map(({ limit }) => limit ?? Infinity))).toBeLessThanOrEqual(1_000);
  });

  test('memory is bounded: the oldest is forgotten', () => {
    const own = new OwnActions();
    for (let index = 0; index <= 20_000; index += 1) own.decided(decided(`a${index}`));
    expect([own.knows('a0', 'x'), own.knows('a1', 'x'), own.knows('a20000', 'x')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
