import { z } from 'zod';
import { rfc3339 } from './unix-time.ts';

const known = z.number().nullable();

/** A playlist of a stream; `isPrimary` marks the one that holds the variants (interface.md, "Playlist object"). */
export interface Playlist {
  readonly name: string;
  readonly type: 'HLS' | 'DASH';
  readonly uri: string;
  readonly isPrimary: boolean;
  /** @deprecated The interface says that this flag is wrong: use `isPrimary`. */
  readonly isVariant: boolean;
  readonly isProtected: boolean;
  readonly isEncrypted: boolean;
  /** Null where unknown, or where the tracks in the playlist differ. */
  readonly info: {
    readonly bitrate: number | null;
    readonly height: number | null;
    readonly framesPerSecond: number | null;
  };
}

export const playlist: z.ZodType<Playlist> = z.object({
  name: z.string(),
  type: z.enum(['HLS', 'DASH']),
  uri: z.string(),
  isPrimary: z.boolean(),
  isVariant: z.boolean(),
  isProtected: z.boolean(),
  isEncrypted: z.boolean(),
  info: z.object({ bitrate: known, height: known, framesPerSecond: known }),
});

/** interface.md, "Stream metadata object": `endTime` is null while the stream runs. */
export const streamInfo = z.object({ startTime: rfc3339, endTime: rfc3339.nullable() });
export type StreamInfo = z.output<typeof streamInfo>;
