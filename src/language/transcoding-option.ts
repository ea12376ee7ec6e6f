import { z } from 'zod';
import type { TranscodingSpec } from '../domain/action.ts';
import { TRANSCODING_QUALITIES, TRANSCODING_TYPES } from '../platform/index.ts';

const tag = z.string().min(1).max(512);

/** What a transcoding is to be (interface.md, endpoint 32). */
export const transcodingOption = z
  .strictObject({
    type: z.enum(TRANSCODING_TYPES).default('HLS'),
    quality: z.enum(TRANSCODING_QUALITIES).default('sd'),
    onDemand: z.boolean().default(false),
    audioOnly: z.boolean().default(false),
    videoOnly: z.boolean().default(false),
    capabilities: z.array(z.string().min(1)).default([]),
    tags: z.array(tag).default([]),
  })
  .refine(
    ({ audioOnly, videoOnly }) => !(audioOnly && videoOnly),
    'audioOnly and videoOnly exclude each other',
  );

/** The spec of a stream's transcoding. */
export const transcodingSpec = (
  { audioOnly, videoOnly, ...spec }: z.infer<typeof transcodingOption>,
  streamId: string,
): TranscodingSpec => ({
  ...spec,
  streamId,
  ...(audioOnly && { only: 'audio' as const }),
  ...(videoOnly && { only: 'video' as const }),
});
