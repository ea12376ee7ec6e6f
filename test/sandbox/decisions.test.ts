import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { switchSettings } from '../../src/sandbox/decisions.ts';
import { decisions } from '../../src/sandbox/index.ts';
import { enc, stage } from './harness.ts';

const root = fileURLToPath(new URL('../../src/sandbox', import.meta.url));
const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'decisions.ts')
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

describe('decisions', () => {
  test.each(Object.keys(decisions))('%s is made somewhere in the code', (id) => {
    expect(code.includes(`'${id}'`) || code.includes(`switches.${id}`)).toBe(true);
  });

  test.each([
    ['GET', '/rooms?type=Bogus', undefined, 400, 'rooms-type'],
    ['GET', '/room/x/publishers/count?failIfLess=x', undefined, 400, 'count-query'],
    ['GET', '/room/x/messages?limit=x', undefined, 400, 'page-limit'],
    [
      'PUT',
      '/room',
      { room: { alias: '', name: '', description: '', options: [], type: 'Channel' } },
      400,
      'type-of-a-channel',
    ],
    ['PUT', '/stream/playlist', { streamId: 'x' }, 404, 'playlists-unknown-stream, basic-for-streams'],
    ['PUT', '/room/x/fork/x', {}, 400, 'fork-to-itself'],
    ['DELETE', '/transcoding/x', {}, 404, 'transcoding-unknown'],
    ['PUT', '/application/demo/callback', { callback: { host: 'example.com' } }, 200, 'notification-target'],
    ['GET', '/room/x', undefined, 404, undefined],
  ])('%s %s %j names its decision', async (method, path, body, http, decision) => {
    const { call } = await stage();
    const answer = await call(method, path, body);
    expect([answer.http, answer.headers['x-sandbox-decision']]).toEqual([http, decision]);
  });

  test('an empty DELETE without a length is refused under the strict switch', async () => {
    const { sandbox, call } = await stage({ switches: { 'empty-delete': 'strict' } });
    const { roomId } = sandbox.createRoom({ alias: 'a' });
    expect((await call('DELETE', `/room/${enc(roomId)}/messages`, { some: 'body' })).http).toBe(411);
    expect((await call('DELETE', `/room/${enc(roomId)}/messages`)).http).toBe(200);
  });

  test('the first way is the default; unknown switches and ways are refused with what there is', () => {
    expect(switchSettings()).toMatchObject({
      purge: 'vanish',
      'page-after': 'oldest',
      'live-tags': 'absent',
    });
    expect(() => switchSettings({ nothing: 'x' })).toThrow('there are empty-delete, ');
    expect(() => switchSettings({ purge: 'x' })).toThrow('one of vanish, marked');
  });
});
