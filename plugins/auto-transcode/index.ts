import { defineKeeper, transcoding, z, type PlaceView } from 'usher/plugin';

const options = z.strictObject({
  type: z.enum(['HLS', 'DASH']).default('HLS'),
  quality: z.enum(['uld', 'vld', 'ld', 'sd', 'hd', 'fhd', 'xhd']).default('hd'),
  onDemand: z.boolean().default(false),
  /** Only streams with one of these tags; an empty list means every stream. */
  tagged: z.array(z.string().min(1)).default([]),
  tags: z.array(z.string().min(1)).default(['kind:auto-transcode']),
  capabilities: z.array(z.string().min(1)).default([]),
});

/** One transcoding for each live stream that carries a picture or a sound, from its start to its end. */
export default defineKeeper({
  name: 'auto-transcode',
  mayDo: ['transcoding.start', 'transcoding.stop'],
  options,
  // The platform ends a transcoding with its origin; a wish for a stream that is gone is nobody's wish.
  grace: () => ({ startMs: 0, stopMs: 0 }),
  desired: (room: PlaceView, { tagged, type, quality, onDemand, tags, capabilities }) =>
    [...room.streams.values()]
      .filter((stream) => tagged.length === 0 || tagged.some((tag) => stream.tags.includes(tag)))
      .map((stream) => transcoding(stream.streamId, { type, quality, onDemand, tags, capabilities })),
});
