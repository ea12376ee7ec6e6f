import { z } from 'zod';

export const TRANSCODING_TYPES = ['DASH', 'HLS'] as const;
export const TRANSCODING_QUALITIES = ['uld', 'vld', 'ld', 'sd', 'hd', 'fhd', 'xhd'] as const;

/** What starts a transcoding (interface.md, endpoint 32); quality `sd` when absent. */
export const transcodingToCreate = z
  .object({
    type: z.enum(TRANSCODING_TYPES),
    originStreamId: z.string().min(1),
    onDemand: z.boolean().optional(),
    audioOnly: z.boolean().optional(),
    videoOnly: z.boolean().optional(),
    capabilities: z.array(z.string()).optional(),
    quality: z.enum(TRANSCODING_QUALITIES).optional(),
    tags: z.array(z.string()).optional(),
  })
  .refine(({ audioOnly, videoOnly }) => !(audioOnly === true && videoOnly === true), {
    error: 'audioOnly and videoOnly exclude each other',
  });
export type TranscodingToCreate = z.input<typeof transcodingToCreate>;
