import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/engine/ports.ts';
import { polledPlace } from '../../src/ingress/polled-place.ts';
import { createStrangers } from '../../src/ingress/strangers.ts';
import type { Message } from '../../src/platform/index.ts';
import { member, roomWith } from '../../src/testing/index.ts';

const message = (sessionId: string | undefined): Message => ({
  messageId: 'm',
  timestamp: 0,
  deletedTimestamp: 0,
  from: { screenName: 'Ann', role: 'Audience', lastUpdate: 0, ...(sessionId !== undefined && { sessionId }) },
  mimeType: 'text/plain',
  message: 'hello',
  tags: [],
});

function stage(read: () => Promise<unknown> = async () => {}) {
  let now = 0;
  let reads = 0;
  const warnings: string[] = [];
  const clock: Clock = { now: () => now, monotonic: () => now, after: () => () => {} };
  const strangers = createStrangers({
    directory: { view: () => roomWith({ members: [member('Mo')] }) },
    clock,
    log: { info() {}, error() {}, warn: (_data, text) => void warnings.push(text) },
    readMembers: () => {
      reads += 1;
      return read();
    },
  });
  const place = polledPlace({ kind: 'room', id: 'r', alias: 'lobby', name: 'Lobby' }, 0, 'poll');
  return {
    meet: (...sessions: (string | undefined)[]) => strangers.meet(place, sessions.map(message)),
    wait: (ms: number) => void (now += ms),
    reads: () => reads,
    warnings,
  };
}

describe('authors that the member list does not hold', () => {
  test('are looked up once for all messages of a page', async () => {
    const { meet, reads } = stage();
    await meet('a', 'b', 'a');
    expect(reads()).toBe(1);
  });

  test.each([
    ['members', 'session-Mo'],
    ['messages without a session', undefined],
    ['messages with an empty session', ''],
  ])('%s need no look', async (_name, session) => {
    const { meet, reads } = stage();
    await meet(session);
    expect(reads()).toBe(0);
  });

  test('are not looked up again and again, but after a while', async () => {
    const { meet, wait, reads } = stage();
    await meet('a');
    await meet('a');
    expect(reads()).toBe(1);
    wait(30_000);
    await meet('a');
    expect(reads()).toBe(2);
  });

  test('hold up nothing when the list cannot be read', async () => {
    const { meet, warnings } = stage(() => Promise.reject(new Error('bad gateway')));
    await meet('a');
    expect(warnings).toHaveLength(1);
  });
});
