import { audioTracks, videoLevels } from './playlist-set.ts';
import type { PlaylistSet } from './playlist-set.ts';
import { AUDIO_CODEC } from './renditions.ts';
import type { Timing } from './segments.ts';
import { SEGMENT_MS, segmentsOf } from './segments.ts';

/** An MPEG-DASH manifest (ISO/IEC 23009-1) of all levels for level '', else of that one with its audio. */
export function dashManifest(set: PlaylistSet, level: string, timing: Timing, query: string): string {
  const { count } = segmentsOf(set.what, timing);
  const chosen = set.renditions.find((one) => one.id === level);
  const videos = level === '' ? videoLevels(set) : videoLevels(set).filter((one) => one === chosen);
  const audios = audioTracks(set).filter(
    (kbps) => level === '' || (chosen === undefined ? level === `audio-${kbps}` : kbps === chosen.audioKbps),
  );
  const template = `<SegmentTemplate timescale="1000" duration="${SEGMENT_MS}" startNumber="0" initialization="${set.base}-$RepresentationID$/init.mp4${escape(query)}" media="${set.base}-$RepresentationID$/$Number$.m4s${escape(query)}"/>`;
  const adaptation = (type: string, representations: readonly string[]): string =>
    representations.length === 0
      ? ''
      : `    <AdaptationSet contentType="${type}" mimeType="${type}/mp4" segmentAlignment="true" startWithSAP="1">
      ${template}
${representations.join('\n')}
    </AdaptationSet>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT${SEGMENT_MS / 1000}S" ${header(set, timing, count)}>
  <Period id="0" start="PT0S">
${adaptation(
  'video',
  videos.map(
    (one) =>
      `      <Representation id="${one.id}" codecs="${one.codecs}" bandwidth="${one.videoKbps * 1000}" width="${one.width}" height="${one.height}" frameRate="${one.framesPerSecond}"/>`,
  ),
)}${adaptation(
    'audio',
    audios.map(
      (kbps) =>
        `      <Representation id="audio-${kbps}" codecs="${AUDIO_CODEC}" bandwidth="${kbps * 1000}" audioSamplingRate="48000"/>`,
    ),
  )}  </Period>
</MPD>
`;
}

function header(set: PlaylistSet, timing: Timing, count: number): string {
  if (set.what === 'on-demand' && timing.endedAt !== undefined)
    return `type="static" mediaPresentationDuration="PT${(count * SEGMENT_MS) / 1000}S"`;
  const start = new Date(timing.startedAt).toISOString();
  return `type="dynamic" availabilityStartTime="${start}" publishTime="${new Date(timing.now).toISOString()}" minimumUpdatePeriod="PT${SEGMENT_MS / 1000}S" timeShiftBufferDepth="PT12S"`;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('$', '$$$$');
