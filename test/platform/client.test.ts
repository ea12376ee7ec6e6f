import { inspect } from 'node:util';
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import {
  createPlatformClient,
  OPERATION_NAMES,
  operations,
  PlatformError,
  type CallOptions,
  type Channel,
  type OperationInput,
  type OperationName,
  type PlatformClient,
  type PlatformClientOptions,
  type PublisherCount,
  type Room,
} from '../../src/platform/index.ts';
import { CHANNEL, MEMBER, message, PLAYLISTS, ROOM } from './samples.ts';
import { respondJson, scriptedServer, type Respond, type ScriptedServer } from './scripted-server.ts';

const SECRET = 'c4n4ry-secret';
const BASIC = `Basic ${Buffer.from(`app#1:${SECRET}`).toString('base64')}`;
const BODY = { applicationId: 'app#1', secret: SECRET };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(
  respond: Respond,
  options: Partial<PlatformClientOptions> = {},
): Promise<{ server: ScriptedServer; client: PlatformClient }> {
  const server = await scriptedServer(respond);
  const client = createPlatformClient({
    baseUrl: server.baseUrl,
    applicationId: 'app#1',
    secret: SECRET,
    retry: { attempts: 1 },
    ...options,
  });
  closers.push(
    () => server.close(),
    () => client.close(),
  );
  return { server, client };
}

const ID = 'us#a|1';
const PLACE = { alias: '', name: 'n', description: '', options: [] };
const TEXT = {
  from: { screenName: 'bot', role: 'Moderator', lastUpdate: 5 },
  mimeType: 'text/plain',
  message: '♥',
  tags: ['op:1'],
} as const;

interface Case<N extends OperationName> {
  readonly input: OperationInput<N>;
  readonly target: string;
  readonly body?: object;
  readonly answer: object | string;
}
/** Input, request target, body and answer of each operation. */
const CASES: { readonly [N in OperationName]: Case<N> } = {
  issueAuthenticationToken: {
    input: { capabilities: ['wildcard'] },
    target: '/svc/auth',
    body: { ...BODY, capabilities: ['wildcard'] },
    answer: { authenticationToken: 't' },
  },
  issueStreamToken: {
    input: { sessionId: '*' },
    target: '/svc/stream',
    body: { ...BODY, sessionId: '*' },
    answer: { streamToken: 't' },
  },
  terminateStream: {
    input: { streamId: ID, reason: '' },
    target: '/svc/stream',
    body: { ...BODY, streamId: ID, reason: '' },
    answer: {},
  },
  deleteStreamArchive: {
    input: { streamId: ID, reason: 'old' },
    target: '/svc/stream/archive',
    body: { ...BODY, streamId: ID, reason: 'old' },
    answer: {},
  },
  listPlaylists: {
    input: { streamId: ID },
    target: '/svc/stream/playlist',
    body: { ...BODY, streamId: ID },
    answer: PLAYLISTS,
  },
  getPlaylist: {
    input: { streamId: ID, manifest: 'a b.m3u8', streamToken: 't+/' },
    target: '/video/app%231/us%23a%7C1/a%20b.m3u8?streamToken=t%2B%2F',
    answer: '#EXTM3U',
  },
  registerCallback: {
    input: { callback: { host: 'h', port: 80 } },
    target: '/svc/application/app%231/callback',
    body: { callback: { host: 'h', port: 80 } },
    answer: { endpoint: 'POST http://h:80/' },
  },
  createChannel: {
    input: { channel: PLACE },
    target: '/svc/channel',
    body: { channel: PLACE },
    answer: { channel: CHANNEL },
  },
  getChannel: { input: { channelId: ID }, target: '/svc/channel/us%23a%7C1', answer: { channel: CHANNEL } },
  listChannelMembers: {
    input: { channelId: ID },
    target: '/svc/channel/us%23a%7C1/members',
    answer: { members: [MEMBER] },
  },
  listChannels: { input: {}, target: '/svc/channels', answer: { channels: [CHANNEL] } },
  deleteChannel: { input: { channelId: ID }, target: '/svc/channel/us%23a%7C1', answer: {} },
  forkChannel: {
    input: { channelId: ID, sourceChannelId: 's', options: ['force'] },
    target: '/svc/channel/us%23a%7C1/fork/s',
    body: { options: ['force'] },
    answer: { members: [] },
  },
  killChannel: {
    input: { channelId: ID, reason: 'x' },
    target: '/svc/channel/us%23a%7C1/kill',
    body: { reason: 'x' },
    answer: { killedMembers: [MEMBER] },
  },
  countChannelPublishers: {
    input: { channelId: ID, failIfLess: 2, withStreams: 0, withScreenName: 'A&B' },
    target: '/svc/channel/us%23a%7C1/publishers/count?failIfLess=2&withStreams=0&withScreenName=A%26B',
    answer: '3',
  },
  getChannelManifest: {
    input: { channelId: ID, manifest: 'live.mpd' },
    target: '/svc/channel/us%23a%7C1/live.mpd',
    answer: '<MPD/>',
  },
  createRoom: {
    input: { room: { ...PLACE, type: 'TownHall' } },
    target: '/svc/room',
    body: { room: { ...PLACE, type: 'TownHall' } },
    answer: { room: ROOM },
  },
  getRoom: { input: { roomId: ID }, target: '/svc/room/us%23a%7C1', answer: { room: ROOM } },
  listRoomMembers: {
    input: { roomId: ID },
    target: '/svc/room/us%23a%7C1/members',
    answer: { members: [MEMBER] },
  },
  listRooms: {
    input: { type: 'DirectChat' },
    target: '/svc/rooms?type=DirectChat',
    answer: { rooms: [ROOM] },
  },
  deleteRoom: { input: { roomId: ID }, target: '/svc/room/us%23a%7C1', answer: {} },
  forkRoom: {
    input: { roomId: ID, sourceRoomId: 's' },
    target: '/svc/room/us%23a%7C1/fork/s',
    body: {},
    answer: { members: [MEMBER] },
  },
  killRoom: {
    input: { roomId: ID, options: ['keep-streams'] },
    target: '/svc/room/us%23a%7C1/kill',
    body: { options: ['keep-streams'] },
    answer: { killedMembers: [] },
  },
  countRoomPublishers: {
    input: { roomId: ID },
    target: '/svc/room/us%23a%7C1/publishers/count',
    answer: '0',
  },
  getRoomManifest: {
    input: { roomId: ID, manifest: 'live.m3u8', streamToken: 't' },
    target: '/svc/room/us%23a%7C1/live.m3u8?streamToken=t',
    answer: 'https://h/p.m3u8',
  },
  sendMessage: {
    input: { roomId: ID, message: { ...TEXT, tags: ['op:1'] } },
    target: '/svc/room/us%23a%7C1/message',
    body: { message: TEXT },
    answer: { message: message('m|1') },
  },
  listMessages: {
    input: { roomId: ID, limit: 128, afterMessageId: 'a|1' },
    target: '/svc/room/us%23a%7C1/messages?limit=128&afterMessageId=a%7C1',
    answer: { messages: [message('m|1')], hasMoreBefore: true, hasMoreAfter: false },
  },
  purgeMessages: {
    input: { roomId: ID },
    target: '/svc/room/us%23a%7C1/messages',
    answer: { deletedCount: 2 },
  },
  createComposition: {
    input: { composition: { type: 'PictureInPicture', streams: [{ streamId: ID }] } },
    target: '/svc/composition',
    body: { composition: { type: 'PictureInPicture', streams: [{ streamId: ID }] } },
    answer: { compositionId: 'c#1' },
  },
  updateComposition: {
    input: { compositionId: ID, streams: [{ streamId: ID, offset: { anchor: 'TopLeft', x: 1 } }] },
    target: '/svc/composition/us%23a%7C1',
    body: { streams: [{ streamId: ID, offset: { anchor: 'TopLeft', x: 1 } }] },
    answer: {},
  },
  deleteComposition: {
    input: { compositionId: ID, reason: 'r' },
    target: '/svc/composition/us%23a%7C1',
    body: { reason: 'r' },
    answer: {},
  },
  createTranscoding: {
    input: { transcoding: { type: 'HLS', originStreamId: ID } },
    target: '/svc/transcoding',
    body: { transcoding: { type: 'HLS', originStreamId: ID } },
    answer: { transcodingId: 't#1' },
  },
  deleteTranscoding: {
    input: { transcodingId: ID },
    target: '/svc/transcoding/us%23a%7C1',
    body: {},
    answer: {},
  },
};

/** The client's method with its types widened, to go through the table. */
const call = (
  client: PlatformClient,
  name: OperationName,
  input: object,
  options?: CallOptions,
): Promise<unknown> =>
  (client[name] as (input: object, options?: CallOptions) => Promise<unknown>)(input, options);

const answered: (name: OperationName) => Respond = (name) => (response) => {
  const { response: kind } = operations[name];
  const { answer } = CASES[name];
  if (typeof answer === 'object')
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 'ok', ...answer }));
  else if (kind.kind === 'redirect') response.writeHead(302, { location: answer }).end();
  else response.writeHead(200, { 'content-type': 'text/plain' }).end(answer);
};

const authorizationOf = (name: OperationName): string | undefined =>
  ['basic', 'basicOrBody'].includes(operations[name].authentication) ? BASIC : undefined;

describe('every operation', () => {
  test.each(OPERATION_NAMES)('%s goes out as the interface says, and its answer is read', async (name) => {
    const { server, client } = await start(answered(name));
    const result = await call(client, name, CASES[name].input);
    const { target, body, answer } = CASES[name];
    expect(server.received).toHaveLength(1);
    const { headers, ...sent } = server.received[0]!;
    expect({ ...sent, body: sent.body === '' ? undefined : (JSON.parse(sent.body) as object) }).toEqual({
      method: operations[name].method,
      target,
      body,
    });
    expect(headers.authorization).toBe(authorizationOf(name));
    expect(headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    expect(headers['content-length']).toBe(
      'emptyBody' in operations[name]
        ? '0'
        : body === undefined
          ? undefined
          : String(Buffer.byteLength(sent.body)),
    );
    const texts: Readonly<Record<string, object>> = {
      count: { met: true, count: Number(answer) },
      manifest: { body: answer, contentType: 'text/plain' },
      redirect: { location: answer },
    };
    const kind = operations[name].response.kind;
    expect(Object.keys(result as object)).toEqual(
      Object.keys(kind === 'json' ? { status: 'ok', ...(answer as object) } : texts[kind]!),
    );
    expect(kind === 'json' ? {} : result).toEqual(kind === 'json' ? {} : texts[kind]);
  });

  test.each(OPERATION_NAMES)('%s shows no secret in its errors, whatever the platform says', async (name) => {
    const echo = `${SECRET} ${BASIC} streamToken=c4n4ry-t`;
    const { client } = await start(respondJson(500, { status: echo, message: echo, headers: echo }));
    const input = {
      ...CASES[name].input,
      ...('streamToken' in CASES[name].input ? { streamToken: 'c4n4ry-t' } : {}),
    };
    const error: unknown = await call(client, name, input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatformError);
    const { message, stack, cause } = error as PlatformError;
    const shown = [
      message,
      stack,
      inspect(error, { depth: 20 }),
      inspect(cause, { depth: 20 }),
      JSON.stringify(error),
    ];
    expect(shown.join('\n')).not.toContain('c4n4ry');
    expect(shown.join('\n')).not.toContain(BASIC.slice(6));
  });
});

describe('a client', () => {
  test('shows no secret when it is printed', async () => {
    const { client, server } = await start(respondJson(200, {}));
    expect(inspect(client, { depth: 20, showHidden: true })).toBe(
      `PlatformClient { baseUrl: '${server.baseUrl}/', applicationId: 'app#1' }`,
    );
    expect(JSON.stringify(client)).not.toContain('c4n4ry');
    expect(JSON.stringify({ ...client })).toBe('{}');
  });

  test('keeps the path of its address and other prefixes', async () => {
    const server = await scriptedServer(answered('getRoom'));
    closers.push(() => server.close());
    const client = createPlatformClient({
      baseUrl: `${server.baseUrl}/base/`,
      applicationId: 'a',
      secret: 's',
      pathPrefix: '/pcast',
    });
    closers.push(() => client.close());
    await client.getRoom({ roomId: 'r' });
    expect(server.received[0]?.target).toBe('/base/pcast/room/r');
  });

  test('never follows a redirect', async () => {
    const { server, client } = await start((response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await expect(client.getRoom({ roomId: 'r' })).rejects.toMatchObject({
      code: 'protocol',
      httpStatus: 302,
    });
    expect(await client.getRoomManifest({ roomId: 'r', manifest: 'live.mpd' })).toEqual({
      location: '/elsewhere',
    });
    expect(server.received).toHaveLength(2);
  });

  test('gives a count that is not met as a result', async () => {
    const { client } = await start((response) => {
      response.writeHead(412).end();
    });
    expect(await client.countRoomPublishers({ roomId: 'r', failIfLess: 5 })).toEqual({ met: false });
  });

  test('holds its deadline on a real connection, also while a body trickles', async () => {
    const { client } = await start((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":');
    });
    const options = { deadlineMs: 30, retry: 'never' } as const;
    await expect(client.getRoom({ roomId: 'r' }, options)).rejects.toMatchObject({ fault: 'deadline' });
    await expect(client.purgeMessages({ roomId: 'r' }, options)).rejects.toMatchObject({
      fault: 'deadline',
      outcome: 'unknown',
    });
  });

  test('fails as not sent after close', async () => {
    const { client, server } = await start(answered('getRoom'));
    await client.close();
    await expect(client.killRoom({ roomId: 'r' })).rejects.toMatchObject({
      fault: 'closed',
      outcome: 'nothing',
    });
    expect(server.received).toEqual([]);
  });

  test('walks through messages', async () => {
    const { client } = await start(answered('listMessages'));
    const seen: string[] = [];
    for await (const { messageId } of client.messages('r', { afterMessageId: 'm|0' })) seen.push(messageId);
    expect(seen).toEqual(['m|1']);
  });

  test('is used as its example shows', async () => {
    const { server } = await start((response, request) => {
      answered(request.method === 'PUT' ? 'createRoom' : 'listMessages')(response, request);
    });
    const seen: string[] = [];
    const client = createPlatformClient({ baseUrl: server.baseUrl, applicationId: 'demo', secret: SECRET });
    const { room } = await client.createOrGetRoom({
      alias: 'lobby',
      name: 'Lobby',
      description: '',
      options: [],
    });
    for await (const message of client.messages(room.roomId)) {
      seen.push(message.message);
      break;
    }
    await client.close();
    expect(seen).toEqual(['hi']);
  });

  test('types results', () => {
    expectTypeOf<
      ReturnType<PlatformClient['countRoomPublishers']>
    >().resolves.toEqualTypeOf<PublisherCount>();
    expectTypeOf<PlatformClient['listChannels']>().toBeCallableWith();
    expectTypeOf<PlatformClient['listRooms']>().toBeCallableWith({ type: 'TownHall' });
    // @ts-expect-error a room is found by its id
    expectTypeOf<PlatformClient['getRoom']>().toBeCallableWith({});
    expectTypeOf<OperationInput<'registerCallback'>>().not.toHaveProperty('applicationId');
  });
});

describe('create or get', () => {
  const wanted = { ...PLACE, alias: 'lobby', name: 'Lobby' };
  const conflict = (body: object): Respond => respondJson(409, { status: 'already-exists', ...body });

  test('gives what it created', async () => {
    const { client } = await start(answered('createRoom'));
    expect(await client.createOrGetRoom(wanted)).toEqual({ room: ROOM as Room, created: true });
  });

  test('gives what exists from the answer, in one request', async () => {
    const { client, server } = await start(conflict({ room: ROOM }));
    expect(await client.createOrGetRoom(wanted)).toEqual({ room: ROOM as Room, created: false });
    const channels = await start(conflict({ channel: CHANNEL }));
    expect(await channels.client.createOrGetChannel(wanted)).toEqual({
      channel: CHANNEL as Channel,
      created: false,
    });
    expect(server.received).toHaveLength(1);
  });

  test('asks for the list where the answer does not carry it', async () => {
    const { client, server } = await start((response, request) => {
      const respond =
        request.method === 'PUT'
          ? conflict({})
          : respondJson(200, { status: 'ok', rooms: [{ ...ROOM, alias: 'x' }, ROOM] });
      respond(response, request);
    });
    expect(await client.createOrGetRoom({ ...wanted, type: 'MultiPartyChat' })).toMatchObject({
      room: ROOM,
      created: false,
    });
    expect(server.received[1]?.target).toBe('/svc/rooms?type=MultiPartyChat');
  });

  test('does not take another place that has the name', async () => {
    const { client } = await start(conflict({ room: { ...ROOM, alias: 'other' } }));
    await expect(client.createOrGetRoom(wanted)).rejects.toMatchObject({ code: 'conflict' });
    expect(await client.createOrGetRoom({ ...wanted, alias: '' })).toMatchObject({ created: false });
  });

  test('passes other failures on', async () => {
    const { client } = await start(respondJson(401, { status: 'unauthorized' }));
    await expect(client.createOrGetRoom(wanted)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
