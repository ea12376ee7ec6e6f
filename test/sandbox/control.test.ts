import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../src/sandbox/control/control-routes.ts';
import { decisions } from '../../src/sandbox/index.ts';
import { enc, stage } from './harness.ts';

describe('the control API', () => {
  test('makes a room, a member, a message, a stream, and ends them again', async () => {
    const { control, call } = await stage();
    const { room } = (await control('POST', 'rooms', { alias: 'main', type: 'TownHall' })).json;
    expect(room).toMatchObject({ alias: 'main', type: 'TownHall' });
    const { roomId } = room;
    const { member } = (
      await control('POST', 'members', { roomId, screenName: 'Ann', role: 'Presenter', state: 'Passive' })
    ).json;
    expect(member).toMatchObject({ screenName: 'Ann', role: 'Presenter', state: 'Passive', streams: [] });
    const { sessionId } = member;
    const draft = { roomId, sessionId, message: 'hi', mimeType: 'text/x', tags: ['a'] };
    const { message } = (await control('POST', 'messages', draft)).json;
    expect(message).toMatchObject({
      message: 'hi',
      mimeType: 'text/x',
      tags: ['a'],
      from: { sessionId, screenName: 'Ann' },
    });
    const stream = { roomId, sessionId, capabilities: ['hd'], tags: ['t'], type: 'Presentation' };
    const { streamId } = (await control('POST', 'streams', stream)).json;
    const list = async () => (await call('GET', `/room/${enc(roomId)}/members`)).json.members;
    expect(await list()).toMatchObject([{ sessionId, streams: [{ type: 'Presentation' }] }]);
    await control('PATCH', 'members', {
      sessionId,
      state: 'HandRaised',
      role: 'Moderator',
      audioState: 'TrackDisabled',
    });
    expect(await list()).toMatchObject([
      {
        state: 'HandRaised',
        role: 'Moderator',
        streams: [{ audioState: 'TrackDisabled', videoState: 'TrackEnabled' }],
      },
    ]);
    expect((await control('DELETE', 'streams', { streamId, reason: 'x' })).json).toEqual({
      ended: [streamId],
    });
    expect((await list())[0].streams).toEqual([]);
    await control('DELETE', 'members', { sessionId });
    expect(await list()).toEqual([]);
  });

  test('makes channels, playlists and faults, moves the clock and resets', async () => {
    const { control, call, sandbox } = await stage();
    const { channelId } = (await control('POST', 'channels', { alias: 'tv' })).json.channel;
    const { streamId } = (await control('POST', 'streams', { channelId })).json;
    await control('POST', 'playlists', { streamId, type: 'HLS' });
    expect((await call('GET', `/channel/${enc(channelId)}/live.m3u8`)).text).toContain('#EXTM3U');
    expect((await call('GET', `/channel/${enc(channelId)}/live.mpd`)).http).toBe(404);
    await control('POST', 'faults', { operation: 'listChannels', status: 503 });
    expect((await call('GET', '/channels')).http).toBe(503);
    const before = sandbox.clock.now();
    expect((await control('POST', 'clock', { advance: '90d' })).json.now - before).toBe(90 * 86_400_000);
    await control('POST', 'reset', {});
    expect((await control('GET', 'requests')).json.requests).toEqual([]);
    expect((await call('GET', '/channels')).json.channels).toEqual([]);
  });

  test('shows requests without credentials and tokens', async () => {
    const { control, call } = await stage();
    const body = { applicationId: 'demo', secret: 'sandbox-secret', streamId: 'a', reason: 'r' };
    await call('DELETE', '/stream', body, { authorization: null });
    await call('PUT', '/application/demo/callback', {
      callback: { host: 'x' },
      credentials: { secret: 'sandbox-secret' },
    });
    await call('GET', '/room/a/live.m3u8?streamToken=sandbox-secret');
    const { requests } = (await control('GET', 'requests')).json;
    expect(JSON.stringify(requests)).not.toContain('sandbox-secret');
    expect(requests[0]).toMatchObject({
      operation: 'terminateStream',
      number: 3,
      method: 'DELETE',
      path: '/svc/stream',
      body: { streamId: 'a', reason: 'r', secret: '[redacted]' },
      status: 404,
      word: 'not-found',
      at: expect.any(Number),
    });
  });

  test('shows deliveries', async () => {
    const { control, receive } = await stage();
    await receive();
    const { roomId } = (await control('POST', 'rooms', { alias: 'a' })).json.room;
    const { streamId } = (await control('POST', 'streams', { roomId })).json;
    await control('POST', 'clock', { advance: 1 });
    const { deliveries } = (await control('GET', 'deliveries')).json;
    expect(deliveries).toMatchObject([
      { what: 'started', streamId, state: 'delivered', attempts: [{ status: 200 }] },
    ]);
  });

  test('keeps only the newest requests', async () => {
    const { call, sandbox } = await stage({ logLimit: 5 });
    for (let i = 0; i < 23; i++) await call('GET', `/room/${i}`);
    expect(sandbox.requests().map((request) => request.path)).toEqual(
      [18, 19, 20, 21, 22].map((i) => `/svc/room/${i}`),
    );
  });

  test.each([
    ['POST', 'rooms', { alias: 'a', type: 'Channel' }, 400, 'type'],
    ['POST', 'rooms', { alias: 'a', colour: 'red' }, 400, 'colour'],
    ['POST', 'rooms', { alias: 'taken' }, 409, 'already'],
    ['POST', 'members', { roomId: 'none' }, 404, 'no room "none"'],
    ['POST', 'members', {}, 400, 'roomId, channelId'],
    ['POST', 'streams', { roomAlias: 'none' }, 404, 'alias "none"'],
    ['DELETE', 'streams', { streamId: 'none' }, 404, 'no stream "none"'],
    ['DELETE', 'streams', {}, 404, 'no member'],
    ['PATCH', 'members', { sessionId: 'none' }, 404, 'no member'],
    ['POST', 'messages', { roomAlias: 'taken', sessionId: 'none', message: '' }, 404, 'no member'],
    ['POST', 'switches', { 'no-such': 'x' }, 400, 'There is no switch'],
    ['POST', 'switches', { purge: 'x' }, 400, 'vanish, marked'],
    ['POST', 'clock', {}, 400, 'advance'],
    ['GET', 'nothing', undefined, 404, 'POST /__sandbox/rooms'],
  ])('%s %s %j is refused with %d', async (method, path, body, http, finding) => {
    const { control, sandbox } = await stage();
    sandbox.createRoom({ alias: 'taken' });
    const answer = await control(method, path, body);
    expect([answer.http, answer.json.error]).toEqual([http, expect.stringContaining(finding)]);
  });

  test('has the names that others rely on', () => {
    const names = controlRoutes.map((route) => `${route.method} ${route.path}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /rooms',
        'POST /channels',
        'POST /members',
        'PATCH /members',
        'DELETE /members',
        'POST /messages',
        'POST /streams',
        'DELETE /streams',
        'POST /playlists',
        'POST /faults',
        'POST /clock',
        'POST /reset',
        'GET /requests',
        'GET /deliveries',
      ]),
    );
  });

  test('tells decisions and changes switches', async () => {
    const { control } = await stage();
    const told = (await control('GET', 'decisions')).json;
    expect(Object.keys(told.decisions)).toEqual(Object.keys(decisions));
    expect(told.switches.purge).toBe('vanish');
    expect((await control('POST', 'switches', { purge: 'marked' })).json.switches).toMatchObject({
      purge: 'marked',
      'page-after': 'oldest',
    });
  });
});
