import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPERATION_NAMES, operations } from '../../src/platform/index.ts';
import { createRouter } from '../../src/sandbox/http/router.ts';

const route = createRouter({ svc: '/svc', video: '/video' });
const fill = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

describe('the router', () => {
  test.each(OPERATION_NAMES)('finds %s by method and path', (name) => {
    const { method, prefix, path } = operations[name];
    const manifest = path.replace('{manifest}', 'live.m3u8');
    expect(route(method, `/${prefix}${fill(manifest, 'x')}`)).toMatchObject({ to: 'operation', name });
  });

  test('ids come out as they were encoded, whatever they hold', () => {
    const property = fc.check(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const found = route('GET', `/svc/room/${encodeURIComponent(id)}/members`);
        return found.to === 'operation' && found.name === 'listRoomMembers' && found.params.roomId === id;
      }),
    );
    expect(property.counterexample).toBeNull();
  });

  test.each([
    [
      'a long id',
      `/svc/room/${'x'.repeat(5_000)}`,
      { to: 'operation', params: { roomId: 'x'.repeat(5_000) } },
    ],
    ['double encoding leaves %23', '/svc/room/a%2523b', { to: 'operation', params: { roomId: 'a%23b' } }],
    ['a raw #', '/svc/room/a#b', { to: 'malformed', rawHash: true }],
    ['a lone percent sign', '/svc/room/a%zz', { to: 'malformed', rawHash: false }],
    ['an empty id', '/svc/room/', { to: 'nothing' }],
    ['a slash at the end', '/svc/rooms/', { to: 'nothing' }],
    ['another prefix', '/room/a', { to: 'nothing' }],
    ['a segment behind a playlist', '/video/demo/s/live-hd/1.m4s', { to: 'media' }],
  ])('%s', (_name, path, expected) => {
    expect(route('GET', path)).toMatchObject(expected);
  });

  test('a known path with another method is nothing', () => {
    expect(route('PATCH', '/svc/rooms')).toEqual({ to: 'nothing' });
  });

  test('prefixes of any depth, and none', () => {
    const deep = createRouter({ svc: '/a/b', video: '' });
    expect(deep('GET', '/a/b/rooms')).toMatchObject({ name: 'listRooms' });
    expect(deep('GET', '/demo/s/live.mpd')).toMatchObject({ name: 'getPlaylist' });
  });
});
