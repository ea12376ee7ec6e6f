import { audioTracks, videoLevels } from './playlist-set.ts';
import type { PlaylistSet } from './playlist-set.ts';
import { AUDIO_CODEC } from './renditions.ts';
import type { Timing } from './segments.ts';
import { SEGMENT_MS, segmentsOf } from './segments.ts';

/** An HLS playlist (RFC 8216): the adaptive one for level '', else the media playlist of that level. */
export const hlsManifest = (set: PlaylistSet, level: string, timing: Timing, query: string): string =>
  level === '' ? multivariant(set, query) : media(set, level, timing);

function multivariant(set: PlaylistSet, query: string): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS'];
  const levels = videoLevels(set);
  for (const kbps of audioTracks(set)) {
    const uri = `${set.base}-audio-${kbps}.m3u8${query}`;
    if (levels.length === 0)
      lines.push(`#EXT-X-STREAM-INF:BANDWIDTH=${kbps * 1000},CODECS="${AUDIO_CODEC}"`, uri);
    else
      lines.push(
        `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio-${kbps}",NAME="audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="${uri}"`,
      );
  }
  for (const one of levels) {
    const audible = set.only !== 'video';
    const bandwidth = (one.videoKbps + (audible ? one.audioKbps : 0)) * 1000;
    const codecs = audible ? `${one.codecs},${AUDIO_CODEC}` : one.codecs;
    const group = audible ? `,AUDIO="audio-${one.audioKbps}"` : '';
    lines.push(
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${bandwidth},CODECS="${codecs}",RESOLUTION=${one.width}x${one.height},FRAME-RATE=${one.framesPerSecond.toFixed(3)}${group}`,
      `${set.base}-${one.id}.m3u8${query}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function media(set: PlaylistSet, level: string, timing: Timing): string {
  const { first, count } = segmentsOf(set.what, timing);
  const complete = set.what === 'on-demand' && timing.endedAt !== undefined;
  const seconds = (SEGMENT_MS / 1000).toFixed(3);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${SEGMENT_MS / 1000}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...(set.what === 'on-demand' ? [`#EXT-X-PLAYLIST-TYPE:${complete ? 'VOD' : 'EVENT'}`] : []),
    `#EXT-X-MAP:URI="${set.base}-${level}/init.mp4"`,
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(timing.startedAt + first * SEGMENT_MS).toISOString()}`,
  ];
  for (let n = first; n < first + count; n++)
    lines.push(`#EXTINF:${seconds},`, `${set.base}-${level}/${n}.m4s`);
  if (complete) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}
