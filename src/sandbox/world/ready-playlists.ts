import type { PlaylistSet } from '../playlists/playlist-set.ts';
import { playlistObjects } from '../playlists/playlist-set.ts';
import type { Quality } from '../playlists/renditions.ts';
import { qualityOf, renditionsFor } from '../playlists/renditions.ts';
import { isPersisted, isStreaming } from './capabilities.ts';
import type { LiveStream, World } from './world.ts';

/** What is to be made of a stream. */
export interface PlaylistOrder {
  readonly source: string;
  readonly types: readonly PlaylistSet['type'][];
  readonly quality: Quality;
  readonly lite: boolean;
  readonly live: boolean;
  readonly onDemand: boolean;
  readonly only?: 'audio' | 'video';
  readonly stillWanted: () => boolean;
}

/** The order that a stream's own capabilities place. */
const ownOrder = (stream: LiveStream, what: { live: boolean; onDemand: boolean }): PlaylistOrder => ({
  source: 'stream',
  types: ['HLS', 'DASH'],
  quality: qualityOf(stream.capabilities),
  lite: stream.capabilities.some((one) => one === 'streaming-lite' || one === 'on-demand-lite'),
  ...what,
  ...(stream.capabilities.includes('audio-only')
    ? { only: 'audio' }
    : stream.capabilities.includes('video-only')
      ? { only: 'video' }
      : {}),
  stillWanted: () => true,
});

export function scheduleStreamPlaylists(world: World, stream: LiveStream): void {
  const live = isStreaming(stream.capabilities);
  const onDemand = isPersisted(stream.capabilities);
  if (live || onDemand) schedulePlaylists(world, stream, ownOrder(stream, { live, onDemand }));
}

/** Live playlists after one delay, on-demand ones after another: they can be watched while the stream still runs. */
export function schedulePlaylists(world: World, stream: LiveStream, order: PlaylistOrder): void {
  const delay = world.playlistDelayMs;
  if (delay === 'never') return;
  if (order.live)
    world.clock.after(delay, () => {
      if (stream.endedAt === undefined && order.stillWanted()) announceAll(world, stream, 'live', order);
    });
  if (order.onDemand)
    world.clock.after(delay * 2, () => {
      if (stream.archive === 'kept') announceAll(world, stream, 'on-demand', order);
    });
}

/** Makes playlists ready at once, whatever the capabilities; those that are ready already are announced again. */
export function readyNow(
  world: World,
  stream: LiveStream,
  what: PlaylistSet['what'],
  types: readonly PlaylistSet['type'][],
): void {
  if (what === 'on-demand' && stream.archive === 'none') stream.archive = 'kept';
  announceAll(world, stream, what, { ...ownOrder(stream, { live: true, onDemand: true }), types });
}

/** The address of a manifest (interface.md, endpoint 6). */
export const manifestAddress = (world: World, stream: LiveStream, manifest: string): string =>
  `${world.videoBase()}/${encodeURIComponent(world.applicationId)}/${encodeURIComponent(stream.streamId)}/${manifest}`;

function announceAll(
  world: World,
  stream: LiveStream,
  what: PlaylistSet['what'],
  order: PlaylistOrder,
): void {
  for (const type of order.types) announce(world, stream, setFor(world, stream, what, type, order));
}

function setFor(
  world: World,
  stream: LiveStream,
  what: PlaylistSet['what'],
  type: PlaylistSet['type'],
  order: PlaylistOrder,
): PlaylistSet {
  const ready = stream.playlists.find(
    (set) => set.source === order.source && set.what === what && set.type === type,
  );
  if (ready !== undefined) return ready;
  const taken = new Set(stream.playlists.filter((set) => set.type === type).map((set) => set.base));
  let base: string = what;
  for (let n = 2; taken.has(base); n++) base = `${what}-${n}`;
  const set: PlaylistSet = {
    source: order.source,
    what,
    type,
    base,
    renditions: renditionsFor(order.quality, order.lite),
    ...(order.only === undefined ? {} : { only: order.only }),
    isProtected: stream.capabilities.includes('token-auth'),
    readyAt: world.clock.now(),
  };
  stream.playlists.push(set);
  return set;
}

function announce(world: World, stream: LiveStream, set: PlaylistSet): void {
  if (!stream.notified) return;
  for (const playlist of playlistObjects(set, (manifest) => manifestAddress(world, stream, manifest))) {
    const { uri, isPrimary, isVariant } = playlist;
    world.notify({
      what: set.what,
      sessionId: stream.sessionId,
      data: {
        streamId: stream.streamId,
        ...(world.switches['live-tags'] === 'present' ? { tags: stream.tags } : {}),
        uri,
        isPrimary,
        isVariant,
      },
    });
  }
}
