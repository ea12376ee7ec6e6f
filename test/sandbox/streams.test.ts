import { describe, expect, test } from 'vitest';
import { createEdgeToken, readEdgeToken } from '../../src/platform/index.ts';
import type { Stage } from './harness.ts';
import { enc, stage } from './harness.ts';

const decisionOf = (answer: { readonly headers: Readonly<Record<string, unknown>> }) =>
  answer.headers['x-sandbox-decision'];
const credentials = { applicationId: 'demo', secret: 'sandbox-secret' };

function publish(on: Stage, capabilities: string[] = []) {
  const roomId = on.sandbox.findPlace({ roomAlias: 'a' }) ?? on.sandbox.createRoom({ alias: 'a' }).roomId;
  return { roomId, ...on.sandbox.publish({ roomId, capabilities }) };
}

describe('tokens', () => {
  test('come in the edge form with their lifetime', async () => {
    const { call, sandbox } = await stage();
    const answer = await call(
      'POST',
      '/auth',
      { ...credentials, capabilities: ['wildcard'] },
      { authorization: null },
    );
    const read = readEdgeToken(answer.json.authenticationToken, credentials, sandbox.clock.now());
    expect(read).toMatchObject({
      ok: true,
      claims: { capabilities: ['wildcard'], expires: sandbox.clock.now() + 3_600_000 },
    });
  });

  test('say what they are for', async () => {
    const on = await stage();
    const { streamId } = publish(on);
    for (const [body, type] of [
      [{ sessionId: 's' }, 'publish'],
      [{ sessionId: 's', originStreamId: streamId }, 'view'],
    ] as const) {
      const answer = await on.call('POST', '/stream', { ...credentials, ...body }, { authorization: null });
      const read = readEdgeToken(answer.json.streamToken, credentials, on.sandbox.clock.now());
      expect(read).toMatchObject({ ok: true, claims: { ...body, type } });
    }
  });
});

describe('archives', () => {
  test.each([
    ['no on-demand capability', [], true, 404, 'not-found'],
    ['still running', ['on-demand'], false, 409, 'not-ended'],
    ['ended', ['on-demand'], true, 200, 'ok'],
    ['ended, lite', ['on-demand-lite'], true, 200, 'ok'],
  ] as const)('%s', async (_name, capabilities, end, http, status) => {
    const on = await stage();
    const { streamId } = publish(on, [...capabilities]);
    if (end) on.sandbox.end({ streamId });
    const remove = () => on.call('DELETE', '/stream/archive', { streamId, reason: 'r' });
    expect(await remove()).toMatchObject({ http, json: { status } });
    expect((await remove()).http).toBe(http === 200 ? 410 : http);
  });

  test('live playlists go with the stream, on-demand ones with the archive', async () => {
    const on = await stage();
    const { streamId } = publish(on, ['uld', 'streaming', 'on-demand']);
    const list = async () => (await on.call('PUT', '/stream/playlist', { streamId })).json.playlists.length;
    expect(await list()).toBe(0);
    await on.sandbox.advance(2_000);
    expect(await list()).toBe(4);
    await on.sandbox.advance(2_000);
    expect(await list()).toBe(8);
    on.sandbox.end({ streamId });
    expect(await list()).toBe(4);
    await on.call('DELETE', '/stream/archive', { streamId, reason: '' });
    expect(await list()).toBe(0);
  });
});

describe('manifests', () => {
  const hls = async (on: Stage, streamId: string, manifest: string, query = '') =>
    (await fetch(`${on.sandbox.baseUrl}/video/demo/${enc(streamId)}/${manifest}${query}`)).text();

  test('the HLS master names a variant and its audio for each rendition, and each can be fetched', async () => {
    const on = await stage();
    const { streamId } = publish(on, ['hd', 'streaming', 'on-demand']);
    await on.sandbox.advance(60_000);
    const master = await hls(on, streamId, 'live.m3u8');
    const lines = master.trim().split('\n');
    const variants = lines.flatMap((line, i) =>
      line.startsWith('#EXT-X-STREAM-INF:') ? [[line, lines[i + 1]!]] : [],
    );
    expect(variants.map(([, uri]) => uri)).toEqual(
      ['qcif', 'sif', 'ld', 'sd', 'hd'].map((id) => `live-${id}.m3u8`),
    );
    const groups = lines
      .filter((line) => line.startsWith('#EXT-X-MEDIA:'))
      .map((line) => /GROUP-ID="([^"]+)"/.exec(line)![1]);
    expect(groups).toEqual(['audio-64', 'audio-128']);
    for (const [line] of variants) expect(groups).toContain(/AUDIO="([^"]+)"/.exec(line!)![1]);
    const uris = [...variants.map(([, uri]) => uri!), 'live-audio-64.m3u8', 'live-audio-128.m3u8'];
    for (const uri of uris) {
      const media = (await hls(on, streamId, uri)).trim().split('\n');
      expect(media[0]).toBe('#EXTM3U');
      expect(media).toContain('#EXT-X-MEDIA-SEQUENCE:24');
      expect(media.filter((line) => line.startsWith('#EXTINF:'))).toHaveLength(6);
      expect(media).not.toContain('#EXT-X-ENDLIST');
    }
    on.sandbox.end({ streamId });
    const recorded = (await hls(on, streamId, 'on-demand-hd.m3u8')).trim().split('\n');
    expect(recorded.filter((line) => line.startsWith('#EXTINF:'))).toHaveLength(30);
    expect(recorded).toContain('#EXT-X-PLAYLIST-TYPE:VOD');
    expect(recorded.at(-1)).toBe('#EXT-X-ENDLIST');
  });

  test('the DASH manifest is well-formed and has all representations', async () => {
    const on = await stage();
    const { streamId } = publish(on, ['fhd', 'streaming']);
    await on.sandbox.advance(10_000);
    const mpd = await hls(on, streamId, 'live.mpd', '?streamToken=a%26b%3C');
    const open: string[] = [];
    for (const [, close, name, attributes, self] of mpd.matchAll(
      /<(\/?)([A-Za-z]\w*)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>/g,
    )) {
      const closes = close === '/';
      expect(closes ? open.pop() : name).toBe(name);
      if (!closes && self !== '/') open.push(name!);
      expect(attributes).not.toMatch(/&(?!amp;|quot;|lt;)/);
    }
    expect(open).toEqual([]);
    expect([...mpd.matchAll(/<Representation id="([^"]+)"/g)].map((match) => match[1])).toEqual([
      'qcif',
      'sif',
      'ld',
      'sd',
      'hd',
      'fhd',
      'audio-64',
      'audio-128',
    ]);
    const single = await hls(on, streamId, 'live-sd.mpd');
    expect([...single.matchAll(/<Representation id="([^"]+)"/g)].map((match) => match[1])).toEqual([
      'sd',
      'audio-128',
    ]);
  });

  test('audio-only and video-only streams', async () => {
    const on = await stage();
    const audio = publish(on, ['hd', 'streaming', 'audio-only']);
    const video = publish(on, ['uld', 'streaming', 'video-only']);
    await on.sandbox.advance(2_000);
    expect(await hls(on, audio.streamId, 'live.m3u8')).not.toContain('RESOLUTION');
    expect(await hls(on, video.streamId, 'live.m3u8')).not.toContain('AUDIO');
    const [member] = on.sandbox.members({ roomId: audio.roomId });
    expect(member?.streams[0]).toMatchObject({ audioState: 'TrackEnabled', videoState: 'TrackEnded' });
  });

  test('of a room redirect with the token, of a channel come as they are', async () => {
    const on = await stage();
    const { roomId, streamId } = publish(on, ['streaming', 'token-auth']);
    await on.sandbox.advance(2_000);
    const path = `/room/${enc(roomId)}/live.m3u8`;
    expect((await on.call('GET', path, undefined, { authorization: null })).http).toBe(401);
    const expires = on.sandbox.clock.now() + 1_000;
    for (const [claims, http] of [
      [{ expires, originStreamId: streamId }, 302],
      [{ expires, requiredTag: 'roomAlias:a' }, 302],
      [{ expires, requiredTag: 'roomAlias:b' }, 401],
      [{ expires, originStreamId: 'other' }, 401],
      [{ expires, type: 'publish' }, 401],
      [{ expires, type: 'authentication' }, 401],
      [{ expires }, 302],
      [{ expires: expires - 2_000 }, 401],
    ] as const) {
      const token = enc(createEdgeToken(credentials, claims));
      const answer = await on.call('GET', `${path}?streamToken=${token}`, undefined, { authorization: null });
      expect(answer.http).toBe(http);
      if (http !== 302) continue;
      expect(answer.headers.location).toContain(
        `/video/demo/${enc(streamId)}/live.m3u8?streamToken=${token}`,
      );
      const playlist = await (await fetch(String(answer.headers.location))).text();
      expect(playlist).toContain(`live-sd.m3u8?streamToken=${token}`);
    }
  });

  test('say why there is none', async () => {
    const on = await stage();
    const { roomId } = on.sandbox.createRoom({ alias: 'a' });
    const get = () => on.call('GET', `/room/${enc(roomId)}/live.m3u8`);
    expect(await get()).toMatchObject({ http: 404, json: { status: 'not found' } });
    const { streamId } = publish(on);
    expect((await get()).http).toBe(415);
    on.sandbox.end({ streamId });
    publish(on, ['streaming']);
    expect(await get()).toMatchObject({ http: 404, json: { hint: expect.stringContaining('not ready') } });
    await on.sandbox.advance(2_000);
    expect((await get()).http).toBe(302);
    expect((await on.call('GET', `/room/${enc(roomId)}/other.m3u8`)).http).toBe(404);
  });
});

describe('transcodings', () => {
  test('announce live and on-demand playlists of their type and quality on the origin, until it ends', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    const { streamId, roomId } = publish(on);
    const transcoding = { type: 'HLS', originStreamId: streamId, quality: 'vld', onDemand: true };
    const made = await on.call('POST', '/transcoding', { transcoding });
    await on.sandbox.advance(4_000);
    const told = bodies()
      .slice(1)
      .map((body) => [body.what, body.data.streamId, body.data.uri.replace(/.*\//, '')]);
    const set = (what: string) =>
      ['', '-qcif', '-sif'].map((level) => [what, streamId, `${what}${level}.m3u8`]);
    expect(told).toHaveLength(6);
    expect(told).toEqual(expect.arrayContaining([...set('live'), ...set('on-demand')]));
    expect((await on.call('GET', `/room/${enc(roomId)}/live.m3u8`)).http).toBe(302);
    const again = await on.call('POST', '/transcoding', { transcoding });
    expect(again).toMatchObject({ http: 409, json: { transcodingId: made.json.transcodingId } });
    expect(
      (await on.call('POST', '/transcoding', { transcoding: { ...transcoding, quality: 'hd' } })).http,
    ).toBe(200);
    on.sandbox.end({ streamId });
    const late = await on.call('POST', '/transcoding', { transcoding });
    expect([late.http, decisionOf(late)]).toEqual([410, 'transcoding-origin']);
  });

  test('a deleted one takes its live playlists away and may be made again', async () => {
    const on = await stage();
    const { streamId } = publish(on);
    const create = () =>
      on.call('POST', '/transcoding', { transcoding: { type: 'DASH', originStreamId: streamId } });
    const { transcodingId } = (await create()).json;
    await on.sandbox.advance(2_000);
    const list = async () => (await on.call('PUT', '/stream/playlist', { streamId })).json.playlists.length;
    expect(await list()).toBe(5);
    expect((await on.call('DELETE', `/transcoding/${enc(transcodingId)}`)).http).toBe(200);
    expect(await list()).toBe(0);
    expect((await create()).http).toBe(200);
  });
});

describe('compositions', () => {
  test('start with tags of both placements and end with their last input', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    const [a, b] = [publish(on), publish(on)];
    const composition = {
      type: 'PictureInPicture',
      streams: [a, b].map(({ streamId }) => ({ streamId })),
      tags: ['in'],
    };
    const { compositionId } = (await on.call('POST', '/composition', { composition, tags: ['out', 'in'] }))
      .json;
    await on.sandbox.settled();
    expect(bodies().at(-1)).toMatchObject({
      what: 'started',
      data: { streamId: compositionId, tags: ['in', 'out'] },
    });
    on.sandbox.end({ streamId: a.streamId });
    expect(
      (await on.call('PUT', `/composition/${enc(compositionId)}`, { streams: [{ streamId: b.streamId }] }))
        .http,
    ).toBe(200);
    on.sandbox.end({ streamId: b.streamId });
    await on.sandbox.settled();
    const ends = bodies()
      .filter((body) => body.what === 'ended')
      .map((body) => body.data.streamId);
    expect(new Set(ends)).toEqual(new Set([a.streamId, b.streamId, compositionId]));
    const gone = await on.call('DELETE', `/composition/${enc(compositionId)}`);
    expect(gone).toMatchObject({ http: 410, json: { status: 'already-ended' } });
    expect((await on.call('PUT', `/composition/${enc(compositionId)}`, { streams: [a] })).http).toBe(404);
  });

  test.each([
    ['no input', [], 400],
    ['an unknown input', [{ streamId: 'none' }], 404],
    ['an unknown anchor', [{ streamId: 'none', offset: { anchor: 'Left' } }], 400],
  ])('%s', async (_name, streams, http) => {
    const { call } = await stage();
    expect(
      (await call('POST', '/composition', { composition: { type: 'PictureInPicture', streams } })).http,
    ).toBe(http);
  });
});

describe('the callback', () => {
  test.each([
    [{ host: 'h' }, 'POST http://h:80/'],
    [{ host: 'h', protocol: 'https', path: 'x', query: 'a=b&c=%23' }, 'POST https://h:443/x?a=b&c=%23'],
    [{ host: '[::1]', port: 8080, method: 'GET', path: '/a' }, 'GET http://[::1]:8080/a'],
  ])('%j is stored as %s', async (callback, endpoint) => {
    const { call } = await stage();
    expect((await call('PUT', '/application/demo/callback', { callback })).json).toEqual({
      status: 'ok',
      endpoint,
    });
  });

  test.each([
    { host: 'h', port: '80' },
    { port: 80 },
    { host: 'h', method: 'PATCH' },
    { host: 'h', path: '/ü' },
    { host: 'h', path: '/a#b' },
  ])('%j is a 400', async (callback) => {
    const { call } = await stage();
    expect((await call('PUT', '/application/demo/callback', { callback })).http).toBe(400);
  });
});
