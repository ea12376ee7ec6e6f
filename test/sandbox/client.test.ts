import { expect, onTestFinished, test } from 'vitest';
import type { MessageToSend } from '../../src/platform/index.ts';
import { createPlatformClient, OPERATION_NAMES, streamIdFromUri } from '../../src/platform/index.ts';
import { stage } from './harness.ts';

test('the typed client and the sandbox understand each other in every operation', async () => {
  const { sandbox, receive } = await stage({ switches: { 'empty-delete': 'strict' } });
  const client = createPlatformClient(sandbox);
  onTestFinished(() => client.close());
  const { bodies } = await receive();

  await client.issueAuthenticationToken({ capabilities: ['wildcard'] });
  const { room, created } = await client.createOrGetRoom({
    alias: 'a',
    name: 'A',
    description: '',
    options: [],
  });
  expect([
    created,
    (await client.createOrGetRoom({ alias: 'a', name: 'A', description: '', options: [] })).created,
  ]).toEqual([true, false]);
  const other = (await client.createRoom({ room: { alias: 'b', name: 'B', description: '', options: [] } }))
    .room;
  const { channel } = await client.createChannel({
    channel: { alias: 'c', name: 'C', description: '', options: [] },
  });
  const from = (
    await client.createChannel({ channel: { alias: 'd', name: 'D', description: '', options: [] } })
  ).channel;
  const { roomId } = room;
  const { channelId } = channel;
  const { streamId } = sandbox.publish({
    roomId,
    screenName: 'Ann',
    capabilities: ['streaming', 'on-demand'],
  });
  const televised = sandbox.publish({ channelId: from.channelId, capabilities: ['streaming'] });
  await client.issueStreamToken({ sessionId: '*', originStreamId: streamId });
  await sandbox.advance(4_000);

  expect((await client.getRoom({ roomId })).room.estimatedSize).toBe(1);
  expect((await client.listRooms()).rooms).toHaveLength(2);
  const [member] = (await client.listRoomMembers({ roomId })).members;
  expect(streamIdFromUri(member!.streams[0]!.uri)).toBe(streamId);
  expect(await client.countRoomPublishers({ roomId, failIfLess: 2 })).toMatchObject({ met: false });
  expect(await client.countRoomPublishers({ roomId })).toMatchObject({ met: true, count: 1 });
  expect((await client.forkRoom({ roomId: other.roomId, sourceRoomId: roomId })).members).toHaveLength(1);
  expect((await client.killRoom({ roomId: other.roomId, reason: 'x' })).killedMembers).toHaveLength(1);
  await client.getRoomManifest({ roomId, manifest: 'live.m3u8' });
  await client.getChannelManifest({ channelId: from.channelId, manifest: 'live.mpd' });
  await client.getPlaylist({ streamId, manifest: 'live-sd.m3u8' });
  expect((await client.listPlaylists({ streamId })).playlists).toHaveLength(20);

  const message: Omit<MessageToSend, 'message'> = {
    mimeType: 'text/plain',
    tags: ['t'],
    from: { screenName: 'B', role: 'Moderator', lastUpdate: 1 },
  };
  for (const text of ['1', '2']) await client.sendMessage({ roomId, message: { ...message, message: text } });
  expect((await client.listMessages({ roomId, limit: 1 })).messages.map((one) => one.message)).toEqual(['2']);
  const walked: string[] = [];
  for await (const one of client.messages(roomId)) walked.push(one.message);
  expect(walked.toSorted((a, b) => a.localeCompare(b))).toEqual(['1', '2']);
  expect((await client.purgeMessages({ roomId })).deletedCount).toBe(2);

  expect((await client.getChannel({ channelId })).channel.alias).toBe('c');
  expect((await client.listChannels()).channels).toHaveLength(2);
  await client.forkChannel({ channelId, sourceChannelId: from.channelId });
  expect((await client.listChannelMembers({ channelId })).members).toHaveLength(1);
  expect(await client.countChannelPublishers({ channelId })).toMatchObject({ count: 1 });
  expect(await client.countChannelPublishers({ channelId, failIfLess: 2 })).toMatchObject({ met: false });
  await client.killChannel({ channelId });

  const streams = [{ streamId }, { streamId: televised.streamId }];
  const { compositionId } = await client.createComposition({
    composition: { type: 'PictureInPicture', streams, tags: ['pip'] },
  });
  await client.updateComposition({ compositionId, streams: [{ streamId }] });
  await client.deleteComposition({ compositionId, reason: 'x' });
  const { transcodingId } = await client.createTranscoding({
    transcoding: { type: 'HLS', originStreamId: streamId },
  });
  await client.deleteTranscoding({ transcodingId });
  await client.terminateStream({ streamId, reason: 'censored' });
  await client.deleteStreamArchive({ streamId, reason: '' });
  await client.deleteRoom({ roomId });
  await client.deleteChannel({ channelId });
  await client.registerCallback({ callback: { host: '127.0.0.1', port: 1 } });

  await sandbox.settled();
  expect(bodies().map((body) => body.what)).toContain('ended');
  const seen = new Set(
    sandbox
      .requests()
      .filter((one) => one.status < 500)
      .map((one) => one.operation),
  );
  expect(OPERATION_NAMES.filter((name) => !seen.has(name))).toEqual([]);
});
