/** interface.md, "Quality capabilities", worst first. */
export const QUALITIES = ['uld', 'vld', 'ld', 'sd', 'hd', 'fhd', 'xhd', 'uhd'] as const;
export type Quality = (typeof QUALITIES)[number];

export interface Rendition {
  readonly id: string;
  /** Made when the stream is of this quality or better. */
  readonly from: Quality;
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly codecs: string;
  readonly videoKbps: number;
  readonly audioKbps: number;
}

const AUDIO_CODEC = 'mp4a.40.2';

const rendition = (
  id: string,
  from: Quality,
  [width, height, framesPerSecond]: readonly [number, number, number],
  codec: string,
  [videoKbps, audioKbps]: readonly [number, number],
): Rendition => ({ id, from, width, height, framesPerSecond, codecs: codec, videoKbps, audioKbps });

/** interface.md, "Live and on-demand renditions"; widths are those of 16:9. */
const RENDITIONS: readonly Rendition[] = [
  rendition('qcif', 'uld', [256, 144, 15], 'avc1.42c01e', [80, 64]),
  rendition('sif', 'vld', [426, 240, 15], 'avc1.42c01f', [350, 64]),
  rendition('ld', 'ld', [640, 360, 15], 'avc1.42c01f', [520, 64]),
  rendition('sd', 'sd', [854, 480, 30], 'avc1.42c01f', [830, 128]),
  rendition('hd', 'hd', [1280, 720, 30], 'avc1.42c01f', [1600, 128]),
  rendition('fhd', 'fhd', [1920, 1080, 30], 'avc1.640029', [3000, 128]),
  rendition('xhd', 'xhd', [1920, 1080, 30], 'avc1.640029', [5500, 128]),
];

export { AUDIO_CODEC };

/** The renditions of a stream of that quality, worst first; with `lite` only the best one. */
export function renditionsFor(quality: Quality, lite: boolean): readonly Rendition[] {
  const rank = QUALITIES.indexOf(quality);
  const made = RENDITIONS.filter((one) => QUALITIES.indexOf(one.from) <= rank);
  return lite ? made.slice(-1) : made;
}

/** The quality that the capabilities ask for; the default is `sd`. */
export const qualityOf = (capabilities: readonly string[]): Quality =>
  QUALITIES.find((quality) => capabilities.includes(quality)) ?? 'sd';
