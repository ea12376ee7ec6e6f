import { describe, expect, test } from 'vitest';
import { Names } from '../../src/cli/names.ts';
import { paintFor, plain } from '../../src/cli/paint.ts';
import { table } from '../../src/cli/table.ts';
import { tellAction } from '../../src/cli/tell-action.ts';
import { tellEvent } from '../../src/cli/tell-event.ts';
import type { Action } from '../../src/domain/action.ts';
import type { MemberJoined, MessagePosted, StreamStarted } from '../../src/domain/event.ts';

const place = { kind: 'room', id: 'eu#room-1' } as const;
const fact = { id: 'x', at: 0, seenAt: 0, source: 'poll', place } as const;
const joined: MemberJoined = {
  ...fact,
  type: 'member.joined',
  member: {
    sessionId: 's#1',
    screenName: 'Ann',
    role: 'Presenter',
    state: 'Active',
    streams: [],
    lastUpdate: 1,
  },
};
const started: StreamStarted = {
  ...fact,
  type: 'stream.started',
  streamId: 'us#US-ASHBURN-AD-1.abc.20260101.XY',
  sessionId: 's#1',
  tags: [],
};
const posted: MessagePosted = {
  ...fact,
  type: 'message.posted',
  messageId: 'm',
  author: { key: 'session:s#1', screenName: 'Ann', standing: 'verified', claimedRole: 'Presenter' },
  text: 'hi \u001B[31mred\u001B[0m\nand \u202Ebackwards',
  mimeType: 'text/plain',
  tags: [],
};

describe('plain words', () => {
  test('a stream is told by who publishes it, as soon as that is known', () => {
    const names = new Names();
    names.learn(started);
    expect(tellEvent(started, names)?.text).toBe('s#1’s stream starts');
    names.learn(joined);
    expect(tellEvent(started, names)?.text).toBe('Ann’s stream starts');
  });

  test('names are bounded: the oldest is forgotten', () => {
    const names = new Names(2);
    for (const id of ['a', 'b', 'c']) {
      names.learn({ ...joined, member: { ...joined.member, sessionId: id, screenName: id.toUpperCase() } });
    }
    expect([names.session('a'), names.session('b'), names.session('c')]).toEqual(['a', 'B', 'C']);
  });

  test('text from outside cannot paint the terminal, turn it round or start a line', () => {
    expect(tellEvent(posted, new Names())?.text).toBe('Ann: hi  [31mred [0m and  backwards');
    expect(plain('x'.repeat(500))).toHaveLength(120);
  });

  test.each<[Partial<Action> & Pick<Action, 'type'>, string]>([
    [{ type: 'message.send', text: 'Hello', tags: [] }, 'says “Hello”'],
    [{ type: 'message.hide', messageIds: ['a', 'b'] }, 'hides 2 messages'],
    [{ type: 'member.mute', member: 'name:a', screenName: 'A', forMs: 600_000 }, 'mutes A for 10m'],
    [
      { type: 'member.censor', member: 'name:a', screenName: 'A', reason: 'censored', watchMs: 60_000 },
      'censors A and watches for 1m',
    ],
    [{ type: 'room.purge' }, 'purges the chat'],
  ])('%j', (action, text) => {
    const whole = {
      id: 'i',
      bot: 'b',
      rule: 'r',
      because: [],
      guarantee: 'exact',
      as: { screenName: 'B', role: 'Moderator' },
      decidedAt: 0,
      place,
      ...action,
    };
    expect(tellAction(whole as Action, new Names())).toBe(text); // the table holds the fields of each type
  });
});

describe('paint', () => {
  test.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{}, {}, false],
    [{}, { FORCE_COLOR: '1' }, true],
    [{}, { FORCE_COLOR: '0' }, false],
  ])('to %j with %j is coloured: %s', (stream, environment, coloured) => {
    expect(paintFor(stream, environment)('red', 'x') !== 'x').toBe(coloured);
  });
});

describe('a table', () => {
  test('aligns its columns under their names', () => {
    const none = paintFor({}, {});
    expect(
      table(
        [
          { bot: 'house', rule: 'a' },
          { bot: 'b', rule: 'long-name' },
        ],
        none,
      ),
    ).toBe(['bot    rule', 'house  a', 'b      long-name'].join('\n'));
    expect(table([], none)).toBe('');
  });
});
