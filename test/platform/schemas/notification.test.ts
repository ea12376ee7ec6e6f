import { describe, expect, expectTypeOf, test } from 'vitest';
import { readNotification, type Notification } from '../../../src/platform/index.ts';

const body = (what: string, data: object, rest: object = {}): object => ({
  apiVersion: 0,
  entity: 'stream',
  what,
  data,
  sessionId: 'us#s',
  timestamp: '2021-04-08T19:46:39.877Z',
  ...rest,
});
const playlist = { streamId: 'us#1', uri: 'https://h/p.m3u8', isPrimary: true, isVariant: false };

describe('the body of a notification', () => {
  test.each([
    ['started', { streamId: 'us#1', tags: ['a:b'] }],
    ['ended', { streamId: 'us#1', tags: [], duration: 12, reason: '' }],
    ['ended', { streamId: 'us#1', tags: [], duration: null, reason: null }],
    ['live', playlist],
    ['on-demand', playlist],
  ])('%s is known', (what, data) => {
    expect(readNotification(body(what, data))).toEqual({ kind: 'known', notification: body(what, data) });
  });

  test('is known with fields and a version that came later', () => {
    const later = body('started', { streamId: 's', tags: [], region: 'x' }, { apiVersion: 3, extra: 1 });
    expect(readNotification(later)).toMatchObject({ kind: 'known', notification: { apiVersion: 3 } });
  });

  test.each([
    [body('paused', {}), { entity: 'stream', what: 'paused' }],
    [body('started', {}, { entity: 'room' }), { entity: 'room', what: 'started' }],
  ])('of an unknown kind says its kind', (given, expected) => {
    expect(readNotification(given)).toEqual({ kind: 'unknown-kind', ...expected });
  });

  test.each([
    [body('started', { tags: [] }), 'data.streamId'],
    [body('started', { streamId: 7, tags: [] }), 'data.streamId'],
    [body('ended', { streamId: 's', tags: [], duration: 'long', reason: '' }), 'data.duration'],
    [body('live', { streamId: 's' }), 'data.uri'],
    [{}, 'entity'],
    ['text', 'body'],
    [null, 'body'],
  ])('that does not fit names its faults', (given, field) => {
    const reading = readNotification(given);
    expect(reading.kind).toBe('misfit');
    expect(JSON.stringify(reading)).toContain(`"${field}: `);
  });

  test('is typed by what', () => {
    const read = (notification: Notification): void => {
      if (notification.what === 'ended')
        expectTypeOf(notification.data.duration).toEqualTypeOf<number | null | undefined>();
      if (notification.what === 'live') expectTypeOf(notification.data.isPrimary).toEqualTypeOf<boolean>();
      // @ts-expect-error only `ended` has a duration
      if (notification.what === 'started') void notification.data.duration;
    };
    expect(read).toBeTypeOf('function');
  });
});
