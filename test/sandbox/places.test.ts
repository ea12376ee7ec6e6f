import { describe, expect, test } from 'vitest';
import type { Loose, Stage } from './harness.ts';
import { enc, stage } from './harness.ts';

const decisionOf = (answer: { readonly headers: Readonly<Record<string, unknown>> }) =>
  answer.headers['x-sandbox-decision'];
const draft = (alias: string, more: object = {}) => ({
  room: { alias, name: `name of ${alias}`, description: 'd', options: [], ...more },
});
const members = async (on: Stage, roomId: string) =>
  (await on.call('GET', `/room/${enc(roomId)}/members`)).json.members as Loose[];

describe('rooms and channels', () => {
  test('a taken alias or name answers 409 with the existing room', async () => {
    const { call } = await stage();
    const made = await call('PUT', '/room', draft('a'));
    const again = await call('PUT', '/room', draft('a', { name: 'other' }));
    expect(again).toMatchObject({ http: 409, json: { status: 'already-exists', room: made.json.room } });
    expect(decisionOf(again)).toBe('existing-object');
    expect((await call('PUT', '/room', draft('b', { name: 'name of a' }))).http).toBe(409);
  });

  test('unknown options are echoed, ingestOptions kept, and type Channel refused', async () => {
    const { call } = await stage();
    const options = ['x', { y: 1 }];
    const made = await call(
      'PUT',
      '/room',
      draft('a', { options, ingestOptions: { maxFps: 30 }, type: 'TownHall' }),
    );
    expect(made.json.room).toMatchObject({
      options,
      ingestOptions: { maxFps: 30 },
      type: 'TownHall',
      alias: 'a',
    });
    expect(made.json.room.roomId).toMatch(/^us-northeast#demo#a\.\w{12}$/);
    expect((await call('PUT', '/room', draft('b', { type: 'Channel' }))).http).toBe(400);
  });

  test('an alias in the path is a 404 with a hint', async () => {
    const { call } = await stage();
    const { roomId } = (await call('PUT', '/room', draft('a'))).json.room;
    const answer = await call('GET', '/room/a');
    expect(answer).toMatchObject({
      http: 404,
      json: { status: 'not found', hint: expect.stringContaining(roomId) },
    });
    expect(decisionOf(answer)).toBe('alias-in-path');
  });

  test('estimatedSize lags three seconds and is null in lists', async () => {
    const { call, sandbox } = await stage();
    const { roomId } = sandbox.createRoom({ alias: 'a' });
    const size = async () => (await call('GET', `/room/${enc(roomId)}`)).json.room.estimatedSize;
    const { sessionId } = sandbox.join({ roomId });
    expect(await size()).toBe(0);
    await sandbox.advance(2_999);
    expect(await size()).toBe(0);
    await sandbox.advance(1);
    expect(await size()).toBe(1);
    sandbox.leave({ sessionId });
    expect(await size()).toBe(1);
    await sandbox.advance(3_000);
    expect(await size()).toBe(0);
    expect((await call('GET', '/rooms')).json.rooms[0].estimatedSize).toBeNull();
  });

  test('deleting ends what is published there; a second time it is a 404', async () => {
    const { call, sandbox } = await stage();
    const { roomId } = sandbox.createRoom({ alias: 'a' });
    const { streamId } = sandbox.publish({ roomId });
    expect(decisionOf(await call('DELETE', `/room/${enc(roomId)}`))).toBe('delete-ends-streams');
    expect((await call('DELETE', '/stream', { streamId, reason: '' })).http).toBe(410);
    expect((await call('DELETE', `/room/${enc(roomId)}`)).http).toBe(404);
    expect((await call('PUT', '/room', draft('a'))).http).toBe(200);
  });

  test('deleting with the type of another room is a 404, or not looked at by switch', async () => {
    const { call, sandbox } = await stage();
    const { roomId } = sandbox.createRoom({ alias: 'a' });
    expect((await call('DELETE', `/room/${enc(roomId)}?type=TownHall`)).http).toBe(404);
    sandbox.setSwitches({ 'delete-type-mismatch': 'ignored' });
    expect((await call('DELETE', `/room/${enc(roomId)}?type=TownHall`)).http).toBe(200);
  });

  test('a channel lists members with streams, a room all', async () => {
    const on = await stage();
    const { roomId } = on.sandbox.createRoom({ alias: 'a' });
    const { channelId } = on.sandbox.createChannel({ alias: 'a' });
    for (const place of [{ roomId }, { channelId }]) {
      on.sandbox.join({ ...place, screenName: 'audience' });
      on.sandbox.publish({ ...place, screenName: 'publisher' });
    }
    expect((await members(on, roomId)).map((member) => member.screenName)).toEqual(['audience', 'publisher']);
    const listed = await on.call('GET', `/channel/${enc(channelId)}/members`);
    expect(listed.json.members.map((member: Loose) => member.screenName)).toEqual(['publisher']);
  });

  test.each(['failIfLess=-1', 'failIfLess=x', 'withStreams=1.5', 'withStreams='])(
    '%s is a 400',
    async (query) => {
      const { call, sandbox } = await stage();
      const { roomId } = sandbox.createRoom({ alias: 'a' });
      expect((await call('GET', `/room/${enc(roomId)}/publishers/count?${query}`)).http).toBe(400);
    },
  );
});

describe('fork', () => {
  const two = async (options = {}) => {
    const on = await stage(options);
    const from = on.sandbox.createRoom({ alias: 'from' }).roomId;
    const to = on.sandbox.createRoom({ alias: 'to' }).roomId;
    const fork = (body: object = {}) => on.call('PUT', `/room/${enc(to)}/fork/${enc(from)}`, body);
    return { ...on, on, from, to, fork };
  };

  test('gives each copy a stream id of its own, its tags, and a started notification', async () => {
    const { on, from, to, fork, receive } = await two();
    const { bodies } = await receive();
    const source = on.sandbox.publish({ roomId: from, screenName: 'Ann', role: 'Presenter', tags: ['own'] });
    const answer = await fork({ streamTags: ['failover'], streamCapabilities: ['sd'] });
    expect(answer.json.members).toMatchObject([
      { sessionId: source.sessionId, screenName: 'Ann', role: 'Presenter' },
    ]);
    await on.sandbox.settled();
    const [, forked] = bodies();
    expect(forked.data.streamId).not.toBe(source.streamId);
    expect(forked.data.tags).toEqual([`roomId:${to}`, 'roomAlias:to', 'failover']);
  });

  test('is silent by switch', async () => {
    const { on, from, fork, receive } = await two({ switches: { 'fork-started': 'silent' } });
    const { bodies } = await receive();
    on.sandbox.publish({ roomId: from });
    await fork();
    await on.sandbox.settled();
    expect(bodies()).toHaveLength(1);
  });

  test('copies publishers only, and force with keep-streams leaves the old stream alive', async () => {
    const { on, from, to, fork, call } = await two();
    on.sandbox.join({ roomId: from, screenName: 'audience' });
    const { sessionId } = on.sandbox.publish({ roomId: from });
    const old = on.sandbox.publish({ roomId: to, sessionId });
    await fork({ options: ['force', 'keep-streams'] });
    expect(await members(on, to)).toHaveLength(1);
    expect((await members(on, to))[0].streams[0].uri).not.toContain(old.streamId);
    expect((await call('DELETE', '/stream', { streamId: old.streamId, reason: '' })).http).toBe(200);
  });

  test('outlives its origin, or ends with it by switch', async () => {
    for (const [way, left] of [
      ['independent', 1],
      ['with-origin', 0],
    ] as const) {
      const { on, from, to, fork } = await two({ switches: { 'fork-lifetime': way } });
      const { streamId } = on.sandbox.publish({ roomId: from });
      await fork();
      on.sandbox.end({ streamId });
      expect((await members(on, to))[0].streams).toHaveLength(left);
    }
  });

  test('into itself is a 400', async () => {
    const { call, from } = await two();
    expect((await call('PUT', `/room/${enc(from)}/fork/${enc(from)}`, {})).http).toBe(400);
  });
});

describe('kill', () => {
  test('takes publishers, leaves the audience, and passes the reason on', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    const { roomId } = on.sandbox.createRoom({ alias: 'a' });
    on.sandbox.join({ roomId, screenName: 'audience' });
    const { streamId } = on.sandbox.publish({ roomId, screenName: 'publisher' });
    const answer = await on.call('PUT', `/room/${enc(roomId)}/kill`, { reason: 'over' });
    expect(answer.json.killedMembers).toMatchObject([
      { screenName: 'publisher', streams: [{ type: 'User' }] },
    ]);
    expect(answer.json.killedMembers[0].streams[0].uri).toContain(streamId);
    expect((await members(on, roomId)).map((member) => member.screenName)).toEqual(['audience']);
    await on.sandbox.settled();
    expect(bodies()[1]).toMatchObject({ what: 'ended', data: { reason: 'over' } });
  });

  test('sends no ended with keep-streams', async () => {
    const on = await stage();
    const { bodies } = await on.receive();
    const { channelId } = on.sandbox.createChannel({ alias: 'a' });
    on.sandbox.publish({ channelId });
    await on.call('PUT', `/channel/${enc(channelId)}/kill`, { options: ['keep-streams'] });
    await on.sandbox.settled();
    expect(bodies().map((body) => body.what)).toEqual(['started']);
  });
});
