import type { Playlist } from '../../platform/index.ts';
import type { Rendition } from './renditions.ts';

/** One adaptive playlist with its quality levels, as the stream's own encoder or a transcoding makes it. */
export interface PlaylistSet {
  /** `stream` or a transcodingId. */
  readonly source: string;
  readonly what: 'live' | 'on-demand';
  readonly type: 'HLS' | 'DASH';
  /** The name of the adaptive manifest without its extension: `live`, `on-demand`, `live-2`. */
  readonly base: string;
  /** Worst first; without video only the audio of each counts. */
  readonly renditions: readonly Rendition[];
  readonly only?: 'audio' | 'video';
  readonly isProtected: boolean;
  readonly readyAt: number;
}

export const extensionOf = (type: PlaylistSet['type']): string => (type === 'HLS' ? '.m3u8' : '.mpd');

/** The different audio tracks of a set, in kbps, ascending; the interface counts two for `hd`. */
export const audioTracks = (set: PlaylistSet): readonly number[] =>
  set.only === 'video' ? [] : [...new Set(set.renditions.map((one) => one.audioKbps))].sort((a, b) => a - b);

/** The video levels of a set; none for audio only. */
export const videoLevels = (set: PlaylistSet): readonly Rendition[] =>
  set.only === 'audio' ? [] : set.renditions;

/** The adaptive playlist first, then one for each quality level. `isVariant` is wrong, as documented. */
export function playlistObjects(set: PlaylistSet, address: (manifest: string) => string): Playlist[] {
  const extension = extensionOf(set.type);
  const object = (name: string, isPrimary: boolean, info: Playlist['info']): Playlist => ({
    name,
    type: set.type,
    uri: address(`${name}${extension}`),
    isPrimary,
    isVariant: isPrimary,
    isProtected: set.isProtected,
    isEncrypted: false,
    info,
  });
  const levels =
    set.only === 'audio'
      ? audioTracks(set).map((kbps) =>
          object(`${set.base}-audio-${kbps}`, false, {
            bitrate: kbps * 1000,
            height: null,
            framesPerSecond: null,
          }),
        )
      : set.renditions.map((one) =>
          object(`${set.base}-${one.id}`, false, {
            bitrate: (one.videoKbps + (set.only === 'video' ? 0 : one.audioKbps)) * 1000,
            height: one.height,
            framesPerSecond: one.framesPerSecond,
          }),
        );
  return [object(set.base, true, { bitrate: null, height: null, framesPerSecond: null }), ...levels];
}
