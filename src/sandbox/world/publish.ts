import type { MemberStreamType } from '../../domain/member.ts';
import { scheduleStreamPlaylists } from './ready-playlists.ts';
import { isPersisted } from './capabilities.ts';
import type { LiveStream, Place, PlaceMember, World } from './world.ts';

export interface StreamDraft {
  readonly capabilities?: readonly string[];
  readonly tags?: readonly string[];
  readonly type?: MemberStreamType;
  readonly forkedFrom?: LiveStream;
}

/** The tags that the platform itself puts before the publisher's. */
export const placeTags = (place: Place): string[] =>
  place.kind === 'room'
    ? [`roomId:${place.id}`, `roomAlias:${place.alias}`]
    : [`channelId:${place.id}`, `channelAlias:${place.alias}`];

/** A new stream of a member; its `started` notification is on its way when this returns. */
export function publish(world: World, place: Place, member: PlaceMember, draft: StreamDraft): LiveStream {
  const forked = draft.forkedFrom !== undefined;
  const stream = startStream(world, {
    sessionId: member.sessionId,
    origin: forked ? 'forked' : 'published',
    place,
    type: draft.type ?? 'User',
    capabilities: draft.capabilities ?? [],
    tags: [...placeTags(place), ...(draft.tags ?? [])],
    notified: !forked || world.switches['fork-started'] === 'notified',
  });
  draft.forkedFrom?.forks.push(stream);
  member.streams.push(stream);
  member.lastUpdate = world.clock.now();
  place.live.add(stream);
  return stream;
}

/** Puts a stream into the world, announces it and sets its playlists going. */
export function startStream(
  world: World,
  of: Pick<LiveStream, 'sessionId' | 'origin' | 'place' | 'type' | 'capabilities' | 'tags' | 'notified'>,
): LiveStream {
  const stream: LiveStream = {
    ...of,
    streamId: world.ids.stream(),
    audioState: of.capabilities.includes('video-only') ? 'TrackEnded' : 'TrackEnabled',
    videoState: of.capabilities.includes('audio-only') ? 'TrackEnded' : 'TrackEnabled',
    startedAt: world.clock.now(),
    playlists: [],
    forks: [],
    compositions: new Set(),
    transcodings: [],
    archive: isPersisted(of.capabilities) ? 'kept' : 'none',
  };
  world.streams.set(stream.streamId, stream);
  if (stream.notified) {
    const { streamId, sessionId, tags } = stream;
    world.notify({ what: 'started', sessionId, data: { streamId, tags } });
  }
  scheduleStreamPlaylists(world, stream);
  return stream;
}
