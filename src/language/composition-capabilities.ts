import { z } from 'zod';
import { TRANSCODING_QUALITIES } from '../platform/index.ts';

/** interface.md, "Composition capabilities". */
export const compositionCapabilities = z
  .array(
    z.enum([
      'prefer-h264',
      'prefer-vp8',
      'multi-bitrate',
      'multi-bitrate-codec=vp8',
      'multi-bitrate-codec=h264',
      ...TRANSCODING_QUALITIES,
    ]),
  )
  .default([]);
