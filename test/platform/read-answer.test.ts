import { describe, expect, test } from 'vitest';
import { operations, type OperationName } from '../../src/platform/index.ts';
import { jsonOf, readAnswer } from '../../src/platform/read-answer.ts';
import type { WireAnswer } from '../../src/platform/transport.ts';
import { MEMBER, message, PLAYLISTS, ROOM } from './samples.ts';
import { html, json } from './scripted-transport.ts';

const text = (status: number, body: string, contentType = 'text/plain', location = ''): WireAnswer => ({
  status,
  contentType,
  location,
  text: body,
});
const ok = (fields: object): WireAnswer => json(200, { status: 'ok', ...fields });

describe('an answer', () => {
  const results: [OperationName, WireAnswer, object][] = [
    ['getRoom', ok({ room: { ...ROOM, later: 1 } }), { room: ROOM }],
    ['getRoom', { ...ok({ room: ROOM }), contentType: 'application/JSON; charset=utf-8' }, { room: ROOM }],
    ['listRoomMembers', ok({ members: [MEMBER] }), { members: [{ lastUpdate: 1_617_911_199_000 }] }],
    [
      'sendMessage',
      ok({ message: message('m|1') }),
      { message: { timestamp: 1_617_911_199_877, deletedTimestamp: 0 } },
    ],
    ['listPlaylists', ok(PLAYLISTS), PLAYLISTS],
    ['countRoomPublishers', text(200, '12\n'), { met: true, count: 12 }],
    ['countRoomPublishers', text(412, ''), { met: false }],
    ['countRoomPublishers', json(412, { status: 'none' }), { met: false }],
    [
      'getChannelManifest',
      text(200, '#EXTM3U', 'application/vnd.apple.mpegurl'),
      { body: '#EXTM3U', contentType: 'application/vnd.apple.mpegurl' },
    ],
    ['getRoomManifest', text(302, '', '', 'https://h/p.m3u8'), { location: 'https://h/p.m3u8' }],
  ];
  test.each(results)('of %s is read: %#', (name, answer, value) => {
    expect(readAnswer(operations[name], answer)).toMatchObject({ kind: 'result', value });
  });

  const misfits: [OperationName, WireAnswer, string][] = [
    ['getRoom', html(200), 'without a JSON body'],
    ['getRoom', text(200, '{"status":"ok"}'), 'without a JSON body'],
    ['getRoom', text(200, '{"status":"ok"', 'application/json'), 'without a JSON body'],
    ['getRoom', text(204, '', 'application/json'), 'without a JSON body'],
    ['getRoom', json(200, { room: ROOM }), 'not "ok"'],
    ['getRoom', json(200, { status: 'rate-limited' }), 'not "ok"'],
    ['getRoom', json(200, [1]), 'not "ok"'],
    ['getRoom', ok({}), 'room'],
    ['getRoom', ok({ room: { ...ROOM, type: 'Hall' } }), 'room.type'],
    ['getRoom', text(302, '', '', '/login'), 'redirect'],
    ['countRoomPublishers', text(200, 'many'), 'no number'],
    ['countRoomPublishers', html(200), 'no number'],
    ['getChannelManifest', html(200), 'text/html'],
    ['getChannelManifest', text(302, '', '', 'https://h'), 'redirect'],
    ['getRoomManifest', text(302, ''), 'without a location'],
    ['getRoomManifest', text(200, '#EXTM3U'), 'where a redirect'],
  ];
  test.each(misfits)(
    'of %s that the interface does not promise names its fault: %#',
    (name, answer, fault) => {
      const reading = readAnswer(operations[name], answer);
      expect(reading).toEqual({ kind: 'misfit', fault: expect.stringContaining(fault) as unknown });
    },
  );

  test.each([400, 412, 500, 504])('of %i is a failure where no count was asked for', (status) => {
    expect(readAnswer(operations.getRoom, json(status, { status: 'ok' }))).toEqual({ kind: 'failure' });
  });

  test('is JSON only when its media type says so and it parses', () => {
    expect(jsonOf({ contentType: 'application/problem+json', text: '1' })).toBe(1);
    expect(jsonOf({ contentType: 'application/jsonp', text: '1' })).toBeUndefined();
    expect(jsonOf({ contentType: '', text: '1' })).toBeUndefined();
    expect(jsonOf({ contentType: 'application/json', text: '{' })).toBeUndefined();
  });
});
