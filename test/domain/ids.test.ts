import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actionId } from '../../src/domain/action-id.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { MemberLeft, StreamStarted } from '../../src/domain/event.ts';
import { memberKey } from '../../src/domain/member.ts';
import { placeKey, placeOfKey } from '../../src/domain/place.ts';

const started = (source: 'webhook' | 'poll', seenAt: number): StreamStarted =>
  withId<StreamStarted>({ type: 'stream.started', at: 1, seenAt, source, streamId: 'us#1.a', tags: [] });

describe('event ids', () => {
  test('a notification and a poll of one fact have one id', () => {
    expect(started('webhook', 5).id).toBe(started('poll', 9).id);
  });

  test('a member that leaves twice leaves under two ids', () => {
    const left = (lastUpdate: number): MemberLeft =>
      withId<MemberLeft>({
        type: 'member.left',
        at: 1,
        seenAt: 1,
        source: 'poll',
        place: { kind: 'room', id: 'r' },
        member: {
          sessionId: 's',
          screenName: 'Ann',
          role: 'Audience',
          state: 'Active',
          streams: [],
          lastUpdate,
        },
      });
    expect(left(1).id).not.toBe(left(2).id);
  });
});

describe('action ids', () => {
  const base = { bot: 'house', rule: 'slurs', because: ['a', 'b'], ordinal: 0 };

  test('the same decision has the same id, whatever the order of its reasons', () => {
    expect(actionId(base)).toBe(actionId({ ...base, because: ['b', 'a'] }));
  });

  test.each([{ bot: 'other' }, { rule: 'other' }, { because: ['a'] }, { ordinal: 1 }, { because: ['a b'] }])(
    '%j makes another action',
    (change) => expect(actionId({ ...base, ...change })).not.toBe(actionId(base)),
  );

  test('no two of many decisions meet, and each fits in a tag', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), (rules) => {
        const ids = rules.map((rule) => actionId({ ...base, rule }));
        expect(new Set(ids).size).toBe(rules.length);
        expect(ids.every((id) => /^[\w-]{16}$/.test(id))).toBe(true);
      }),
    ));
});

describe('keys', () => {
  test('a place key goes there and back, whatever is in the id', () =>
    fc.assert(
      fc.property(fc.constantFrom('room' as const, 'channel' as const), fc.string(), (kind, id) => {
        expect(placeOfKey(placeKey({ kind, id }))).toEqual({ kind, id });
      }),
    ));

  test('a lane that is no place has no place', () => {
    expect(['daemon', 'stream:a#b', 'rooms:x', ''].map(placeOfKey)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a session names a member; without one a folded screen name does', () => {
    expect(memberKey({ sessionId: 's#1', screenName: 'Ann' })).toBe('session:s#1');
    expect(memberKey({ screenName: ' ＡＮＮ ' })).toBe('name:ann');
    expect(memberKey({ sessionId: '', screenName: 'Ann' })).toBe('name:ann');
  });
});
