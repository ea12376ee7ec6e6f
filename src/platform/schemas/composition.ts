import { z } from 'zod';

export const ANCHORS = ['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight', 'Center'] as const;

/** One input on the canvas (interface.md, "Composition stream input object"); the first input is the main one. */
export const compositionInput = z.object({
  streamId: z.string().min(1),
  offset: z
    .object({ anchor: z.enum(ANCHORS).optional(), x: z.number().optional(), y: z.number().optional() })
    .optional(),
  width: z.number().optional(),
  height: z.number().optional(),
});
export type PlatformCompositionInput = z.input<typeof compositionInput>;

/** interface.md, endpoint 29: its field list and its example differ on the place of `tags`, so both are known. */
export const compositionToCreate = z.object({
  type: z.literal('PictureInPicture'),
  streams: z.array(compositionInput),
  capabilities: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
});
export type CompositionToCreate = z.input<typeof compositionToCreate>;
