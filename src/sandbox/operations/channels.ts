import { ok, refuse, text } from '../http/reply.ts';
import type { Handlers } from './handler.ts';
import { serveManifest } from './manifests.ts';
import { countPublishers, create, forkInto, killAll, latestStream, remove, withPlace } from './places.ts';
import { memberObject, channelObject } from './shapes.ts';

/** interface.md, endpoints 8 to 16. */
export const channelHandlers: Handlers<
  | 'createChannel'
  | 'getChannel'
  | 'listChannelMembers'
  | 'listChannels'
  | 'deleteChannel'
  | 'forkChannel'
  | 'killChannel'
  | 'countChannelPublishers'
  | 'getChannelManifest'
> = {
  createChannel: ({ world }, { body }) => create(world, 'channel', { ...body.channel, type: 'Channel' }),

  getChannel: ({ world }, { params }) =>
    withPlace(world, 'channel', params.channelId, 'not-found', (place) =>
      ok({ channel: channelObject(world, place) }),
    ),

  listChannelMembers: ({ world }, { params }) =>
    withPlace(world, 'channel', params.channelId, 'not found', (place) => {
      const publishers = [...place.members.values()].filter((member) => member.streams.length > 0);
      return ok({ members: publishers.map(memberObject) }, 'members-with-streams');
    }),

  listChannels: ({ world }) =>
    ok({ channels: [...world.channels.all()].map((place) => channelObject(world, place, true)) }),

  deleteChannel: ({ world }, { params }) =>
    withPlace(world, 'channel', params.channelId, 'not-found', (place) => remove(world, place)),

  forkChannel: ({ world }, { params, body }) =>
    forkInto(world, ['channel', params.channelId, params.sourceChannelId], body),

  killChannel: ({ world }, { params, body }) =>
    withPlace(world, 'channel', params.channelId, 'not found', (place) => killAll(world, place, body)),

  countChannelPublishers: ({ world }, { params, query }) =>
    withPlace(world, 'channel', params.channelId, 'not-found', (place) =>
      countPublishers(place, query, text(412, '', 'text/plain', 'count-empty-412')),
    ),

  getChannelManifest: ({ world }, { params, query }) =>
    withPlace(world, 'channel', params.channelId, 'not-found', (place) => {
      const stream = latestStream(place);
      return stream === undefined
        ? refuse(404, 'not-found', { hint: 'Nobody publishes to this channel.' }, 'manifest-missing')
        : serveManifest(world, stream, params.manifest, query.streamToken);
    }),
};
