import { describe, expect, test } from 'vitest';
import { createRequestBuilder, type RequestIdentity } from '../../src/platform/build-request.ts';
import { InvalidRequestError, MessageLimitError } from '../../src/platform/index.ts';

const identity: RequestIdentity = {
  applicationId: 'my#app',
  secret: 'sécret',
  pathPrefix: '/svc',
  videoPrefix: '/video',
  compositionTags: 'composition',
};
const build = createRequestBuilder(identity);
const basic = `Basic ${Buffer.from('my#app:sécret').toString('base64')}`;

const faultsOf = (work: () => unknown): readonly string[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      expect(error).toMatchObject({ outcome: 'nothing', attempts: 0, retryable: false });
      return error.faults;
    }
    throw error;
  }
  return [];
};
const text = {
  from: { screenName: 'bot', role: 'Moderator', lastUpdate: 1 },
  mimeType: 'text/plain',
  message: 'hi',
  tags: [],
};

describe('a request', () => {
  test('encodes identifiers once, each as one segment', () => {
    const { target } = build('forkRoom', { roomId: 'us#a|1', sourceRoomId: 'b/../c%23' });
    expect(target).toBe('/svc/room/us%23a%7C1/fork/b%2F..%2Fc%2523');
  });

  test('takes the application from the client, in the path too', () => {
    expect(build('registerCallback', { callback: { host: 'h' } }).target).toBe(
      '/svc/application/my%23app/callback',
    );
    expect(build('getPlaylist', { streamId: 's#1', manifest: 'a.m3u8' }).target).toBe(
      '/video/my%23app/s%231/a.m3u8',
    );
  });

  test('encodes a query and leaves out what is undefined', () => {
    const input = { roomId: 'r', limit: 5, afterMessageId: 'a|b&c', beforeMessageId: undefined };
    expect(build('listMessages', input).target).toBe('/svc/room/r/messages?limit=5&afterMessageId=a%7Cb%26c');
  });

  test('puts credentials where the operation wants them, and only there', () => {
    const body = build('terminateStream', { streamId: 's', reason: 'censored' });
    expect(body.headers).not.toHaveProperty('authorization');
    expect(body.body).toBe('{"applicationId":"my#app","secret":"sécret","streamId":"s","reason":"censored"}');
    const header = build('sendMessage', { roomId: 'r', message: text });
    expect(header.headers['authorization']).toBe(basic);
    expect(header.body).toBe(JSON.stringify({ message: text }));
    expect(build('deleteComposition', { compositionId: 'c' })).toMatchObject({ body: '{}' });
    const open = build('getPlaylist', { streamId: 's', manifest: 'm', streamToken: 't' });
    expect(open.headers).toEqual({ accept: '*/*' });
  });

  test('has no body and no media type where the interface wants it empty', () => {
    const { body, emptyBody, headers } = build('deleteRoom', { roomId: 'r', type: 'TownHall' });
    expect({ body, emptyBody }).toEqual({ body: null, emptyBody: true });
    expect(headers).not.toHaveProperty('content-type');
  });

  test.each([
    ['composition', { composition: { tags: ['t'] } }],
    ['request', { tags: ['t'] }],
    ['both', { composition: { tags: ['t'] }, tags: ['t'] }],
  ] as const)('carries the tags of a composition in: %s', (compositionTags, expected) => {
    const builder = createRequestBuilder({ ...identity, compositionTags });
    const composition = { type: 'PictureInPicture', streams: [{ streamId: 's' }] };
    const inside = builder('createComposition', { composition: { ...composition, tags: ['t'] } });
    const outside = builder('createComposition', { composition, tags: ['t'] });
    expect(outside).toEqual(inside);
    const { composition: sent, ...rest } = JSON.parse(inside.body ?? '') as { composition: object };
    expect({ composition: sent, ...rest }).toMatchObject(expected);
    expect('tags' in sent).toBe(compositionTags !== 'request');
    expect('tags' in rest).toBe(compositionTags !== 'composition');
  });

  test.each([
    ['an empty id', () => build('getRoom', { roomId: '' }), 'roomId'],
    ['a climbing id', () => build('getRoom', { roomId: '..' }), 'roomId'],
    ['a control character', () => build('getRoom', { roomId: 'a\r\nb' }), 'roomId'],
    ['a missing id', () => build('getRoom', {}), 'roomId'],
    ['a field too many', () => build('getRoom', { roomId: 'r', rooomId: 'x' }), 'rooomId'],
    [
      'a misspelt field within',
      () => build('sendMessage', { roomId: 'r', message: { ...text, tag: [] } }),
      'message.tag',
    ],
    [
      'a field that every object inherits',
      () => build('sendMessage', { roomId: 'r', message: { ...text, constructor: 1 } }),
      'message.constructor',
    ],
    ['a reason that is no string', () => build('killRoom', { roomId: 'r', reason: 5 }), 'reason'],
    [
      'an unknown option',
      () => build('forkRoom', { roomId: 'r', sourceRoomId: 's', options: ['forse'] }),
      'options.0',
    ],
    [
      'a port as text',
      () => build('registerCallback', { callback: { host: 'h', port: '80' } }),
      'callback.port',
    ],
    [
      'both only-flags',
      () =>
        build('createTranscoding', {
          transcoding: { type: 'HLS', originStreamId: 's', audioOnly: true, videoOnly: true },
        }),
      'transcoding',
    ],
    ['a negative limit', () => build('listMessages', { roomId: 'r', limit: -1 }), 'limit'],
    [
      'another manifest',
      () => build('getChannelManifest', { channelId: 'c', manifest: 'live.mp4' }),
      'manifest',
    ],
    [
      'the secret of somebody',
      () => build('terminateStream', { streamId: 's', reason: '', secret: 'x' }),
      'secret',
    ],
  ])('is refused before it is sent for %s', (_, work, field) => {
    expect(faultsOf(work).join('\n')).toMatch(new RegExp(`^${field}\\b`, 'm'));
  });

  test('is refused for another application: the client has one', () => {
    const input = { applicationId: 'other', streamId: 's', manifest: 'm' };
    expect(faultsOf(() => build('getPlaylist', input))).toEqual(['applicationId: unknown field']);
  });

  test('is refused with all its faults at once', () => {
    expect(
      faultsOf(() => build('sendMessage', { roomId: '', message: { ...text, tags: 'x' }, extra: 1 })),
    ).toHaveLength(3);
  });

  test('is refused where a message is over a limit', () => {
    const send = (): unknown =>
      build('sendMessage', { roomId: 'r', message: { ...text, message: 'ä'.repeat(513) } });
    expect(send).toThrow(MessageLimitError);
    expect(send).toThrow(
      expect.objectContaining({ field: 'message', bytes: 1026, max: 1024, outcome: 'nothing' }),
    );
  });
});
