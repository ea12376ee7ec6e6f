import type { Reply } from '../http/reply.ts';
import { ok, refuse } from '../http/reply.ts';
import { manifestAddress } from '../world/ready-playlists.ts';
import { isStreaming } from '../world/capabilities.ts';
import type { Handlers } from './handler.ts';
import { withoutToken } from './manifests.ts';
import {
  countPublishers,
  create,
  forkInto,
  killAll,
  latestStream,
  open,
  remove,
  withPlace,
} from './places.ts';
import { memberObject, roomObject } from './shapes.ts';
import type { Place, World } from '../world/world.ts';

/** interface.md, endpoints 17 to 25. */
export const roomHandlers: Handlers<
  | 'createRoom'
  | 'getRoom'
  | 'listRoomMembers'
  | 'listRooms'
  | 'deleteRoom'
  | 'forkRoom'
  | 'killRoom'
  | 'countRoomPublishers'
  | 'getRoomManifest'
> = {
  createRoom: ({ world }, { body: { room } }) =>
    create(world, 'room', { ...room, type: room.type ?? 'MultiPartyChat' }),

  getRoom: ({ world }, { params }) =>
    withPlace(world, 'room', params.roomId, 'not found', (place) => ok({ room: roomObject(world, place) })),

  listRoomMembers: ({ world }, { params }) =>
    withPlace(world, 'room', params.roomId, 'not found', (place) =>
      ok({ members: Array.from(place.members.values(), memberObject) }),
    ),

  listRooms({ world }, { query: { type = 'MultiPartyChat' } }) {
    const rooms = [];
    for (const place of world.rooms.all())
      if (place.type === type) rooms.push(roomObject(world, place, true));
    return ok({ rooms });
  },

  deleteRoom: ({ world }, { params, query }) =>
    withPlace(world, 'room', params.roomId, 'not-found', (place) =>
      world.switches['delete-type-mismatch'] === 'not-found' && (query.type ?? place.type) !== place.type
        ? refuse(404, 'not-found', { hint: `This room is a ${place.type}.` }, 'delete-type-mismatch')
        : remove(world, place),
    ),

  forkRoom: ({ world }, { params, body }) =>
    forkInto(world, ['room', params.roomId, params.sourceRoomId], body),

  killRoom: ({ world }, { params, body }) =>
    withPlace(world, 'room', params.roomId, 'not found', (place) => killAll(world, place, body)),

  countRoomPublishers: ({ world }, { params, query }) =>
    withPlace(world, 'room', params.roomId, 'not-found', (place) =>
      countPublishers(place, query, refuse(412, 'none')),
    ),

  getRoomManifest: ({ world }, { params, query }) =>
    withPlace(world, 'room', params.roomId, 'not found', (place) =>
      redirect(world, place, params.manifest, query.streamToken),
    ),
};

function redirect(world: World, place: Place, manifest: string, token: string | undefined): Reply {
  const stream = latestStream(place);
  if (stream === undefined) return refuse(404, 'not found', { hint: 'Nobody publishes to this room.' });
  const live = stream.playlists.filter((set) => set.what === 'live');
  if (!isStreaming(stream.capabilities) && live.length === 0)
    return refuse(415, 'streaming-not-supported', {}, 'room-without-streaming');
  const refused = withoutToken(world, stream, token);
  if (refused !== undefined) return refused;
  if (
    !live.some((set) => set.base === 'live' && manifest === (set.type === 'HLS' ? 'live.m3u8' : 'live.mpd'))
  )
    return refuse(404, 'not found', { hint: 'The playlist is not ready yet.' });
  const query = token === undefined ? '' : `?streamToken=${encodeURIComponent(token)}`;
  return open({
    http: 302,
    contentType: 'application/json',
    body: '{"status":"ok"}',
    status: 'ok',
    headers: { location: manifestAddress(world, stream, manifest) + query },
  });
}
