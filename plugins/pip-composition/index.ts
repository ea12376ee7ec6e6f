import {
  composition,
  defineKeeper,
  duration,
  z,
  type LiveStream,
  type PlaceView,
  type Publisher,
} from 'usher/plugin';

const options = z.strictObject({
  publishers: z.int().min(2).default(2),
  maxInsets: z.int().min(1).max(8).default(3),
  anchor: z.enum(['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight']).default('BottomRight'),
  width: z.int().min(16).default(320),
  height: z.int().min(16).default(180),
  gap: z.int().min(0).default(16),
  startAfter: duration().prefault('2s'),
  stopAfter: duration().prefault('15s'),
  capabilities: z.array(z.string().min(1)).default(['hd', 'prefer-h264']),
  tags: z.array(z.string().min(1)).default(['kind:pip']),
});

/** The stream of a publisher that carries a picture: a presentation before a camera. */
function picture(publisher: Publisher): LiveStream | undefined {
  const seen = publisher.streams.filter((stream) => stream.video === 'TrackEnabled');
  return seen.find((stream) => stream.type === 'Presentation') ?? seen[0];
}

/** Full screen first: a presentation, else a presenter, else whoever has been on air longest. */
function inOrder(room: PlaceView): readonly LiveStream[] {
  const shown = room.publishers().flatMap((publisher) => {
    const stream = picture(publisher);
    return stream === undefined ? [] : [{ publisher, stream }];
  });
  const main =
    shown.find(({ stream }) => stream.type === 'Presentation') ??
    shown.find(({ publisher }) => publisher.role === 'Presenter') ??
    shown[0];
  return main === undefined
    ? []
    : [main, ...shown.filter((other) => other !== main)].map(({ stream }) => stream);
}

/** One picture-in-picture of everybody on camera, as soon as there are enough of them. */
export default defineKeeper({
  name: 'pip-composition',
  mayDo: ['composition.start', 'composition.update', 'composition.stop'],
  options,
  grace: ({ startAfter, stopAfter }) => ({ startMs: startAfter, stopMs: stopAfter }),
  desired(room: PlaceView, { publishers, maxInsets, anchor, width, height, gap, capabilities, tags }) {
    const [main, ...others] = inOrder(room);
    if (main === undefined || others.length + 1 < publishers) return [];
    const insets = others.slice(0, maxInsets).map((stream, index) => ({
      streamId: stream.streamId,
      // Offsets point away from the corner, into the canvas.
      offset: { anchor, x: gap, y: gap + index * (height + gap) },
      width,
      height,
    }));
    return [composition('pip', { inputs: [{ streamId: main.streamId }, ...insets], capabilities, tags })];
  },
});
