import { z } from 'zod';
import type { Anchor, CompositionInput } from '../domain/action.ts';
import { ROLES, STREAM_TYPES } from '../domain/member.ts';
import type { LiveStream, PlaceView, Publisher } from '../domain/place-view.ts';
import { ANCHORS } from '../platform/index.ts';
import { foldName } from './fold-name.ts';
import { compileGlob } from './glob.ts';

const pixels = z.int().min(0).max(10_000);
const STACKS = ['up', 'down', 'left', 'right'] as const;

/** From a corner, insets can only grow into the picture; from the center they may grow anywhere. */
const GROWS: Readonly<Record<Anchor, readonly (typeof STACKS)[number][]>> = {
  TopLeft: ['down', 'right'],
  TopRight: ['down', 'left'],
  BottomLeft: ['up', 'right'],
  BottomRight: ['up', 'left'],
  Center: STACKS,
};

const insetsOption = z
  .strictObject({
    order: z.enum(['joined', 'newest']).default('joined'),
    max: z.int().min(1).max(24).default(3),
    anchor: z.enum(ANCHORS).default('BottomRight'),
    width: pixels.min(1).default(320),
    height: pixels.min(1).default(180),
    gap: pixels.default(16),
    stack: z.enum(STACKS).optional(),
  })
  .superRefine(({ anchor, stack }, context) => {
    if (stack !== undefined && !GROWS[anchor].includes(stack))
      context.addIssue({
        code: 'custom',
        path: ['stack'],
        message: `from ${anchor} insets can stack ${GROWS[anchor].join(' or ')}, ${stack} leaves the picture`,
      });
  });

const selectorOption = z.union([
  z.enum(['oldest', 'newest']),
  z
    .strictObject({
      type: z.enum(STREAM_TYPES).optional(),
      role: z.enum(ROLES).optional(),
      name: z.string().min(1).optional(),
    })
    .refine((given) => Object.keys(given).length > 0, 'give at least one of type, role and name'),
]);
type Selector = z.infer<typeof selectorOption>;

/** The keys of a picture-in-picture: what is full screen, and how the others stand in it. */
export const layoutShape = {
  main: z.union([selectorOption, z.array(selectorOption).min(1)]).default('oldest'),
  insets: insetsOption.prefault({}),
};

export type LayoutOptions = z.infer<z.ZodObject<typeof layoutShape>>;

interface Candidate {
  readonly stream: LiveStream;
  readonly publisher: Publisher;
}

/** Oldest first; ties by id, so that the order is the same after a restart. */
function candidatesOf(room: PlaceView): readonly Candidate[] {
  const byAge = (a: LiveStream, b: LiveStream): number =>
    a.startedAt - b.startedAt || (a.streamId < b.streamId ? -1 : 1);
  return room.publishers().flatMap((publisher) =>
    publisher.streams
      .filter(({ type, video }) => type !== 'Audio' && video !== 'TrackEnded')
      .sort(byAge)
      .map((stream) => ({ stream, publisher })),
  );
}

function select(selector: Selector, candidates: readonly Candidate[]): Candidate | undefined {
  if (selector === 'oldest') return candidates[0];
  if (selector === 'newest')
    return candidates.reduce<Candidate | undefined>(
      (newest, one) =>
        newest !== undefined && newest.stream.startedAt >= one.stream.startedAt ? newest : one,
      undefined,
    );
  const named = selector.name === undefined ? undefined : compileGlob(foldName(selector.name));
  return candidates.find(
    ({ stream, publisher }) =>
      (selector.type === undefined || stream.type === selector.type) &&
      (selector.role === undefined || publisher.role === selector.role) &&
      (named === undefined || named(foldName(publisher.screenName))),
  );
}

/**
 * The inputs of a composition of everybody who shows a picture: the first selector that fits anybody (else the oldest)
 * is full screen, the others are insets in order. Offsets count from the anchor into the picture, and from the center
 * to the right and down.
 */
export function layoutOf(room: PlaceView, { main, insets }: LayoutOptions): readonly CompositionInput[] {
  const candidates = candidatesOf(room);
  const full =
    [main]
      .flat()
      .map((selector) => select(selector, candidates))
      .find((found) => found !== undefined) ?? candidates[0];
  if (full === undefined) return [];
  const others = candidates.filter((candidate) => candidate !== full);
  const ordered =
    insets.order === 'newest' ? others.sort((a, b) => b.stream.startedAt - a.stream.startedAt) : others;
  return [
    { streamId: full.stream.streamId },
    ...ordered.slice(0, insets.max).map(({ stream }, index) => ({
      streamId: stream.streamId,
      offset: { anchor: insets.anchor, ...offsetOf(insets, index) },
      width: insets.width,
      height: insets.height,
    })),
  ];
}

function offsetOf(
  { anchor, stack, gap, width, height }: LayoutOptions['insets'],
  index: number,
): { readonly x: number; readonly y: number } {
  const direction = stack ?? GROWS[anchor][0] ?? 'down';
  const upright = direction === 'up' || direction === 'down';
  const step = index * ((upright ? height : width) + gap);
  if (anchor !== 'Center') return upright ? { x: gap, y: gap + step } : { x: gap + step, y: gap };
  const signed = direction === 'up' || direction === 'left' ? 0 - step : step;
  return upright ? { x: 0, y: signed } : { x: signed, y: 0 };
}
