import { z } from 'zod';
import { MEMBER_STATES, ROLES, STREAM_TYPES, TRACK_STATES } from '../../domain/member.ts';
import { ROOM_TYPES } from '../../domain/place.ts';
import { faultRule } from '../faults/rules.ts';
import { milliseconds } from '../milliseconds.ts';

const names = z.array(z.string());
const timing = {
  /** From the start of the list that the step stands in. */
  at: milliseconds.optional(),
  /** From the step before; 0 when neither is given. */
  after: milliseconds.optional(),
};
const who = z.string().min(1);

/** What can happen in a show. The verb's own key names who does it, or which stream it is done to. */
const stepShapes = {
  join: z.strictObject({
    ...timing,
    join: who,
    role: z.enum(ROLES).optional(),
    state: z.enum(MEMBER_STATES).optional(),
  }),
  leave: z.strictObject({ ...timing, leave: who }),
  publish: z.strictObject({
    ...timing,
    publish: who,
    /** The name under which later steps know the stream; the publisher's own by default. */
    as: z.string().optional(),
    capabilities: names.optional(),
    tags: names.optional(),
    type: z.enum(STREAM_TYPES).optional(),
  }),
  end: z.strictObject({ ...timing, end: who, reason: z.string().default('') }),
  say: z.strictObject({
    ...timing,
    say: who,
    /** `{{n}}` is the round of the repeat that the step stands in. */
    text: z.string(),
    mimeType: z.string().optional(),
    tags: names.optional(),
  }),
  setState: z.strictObject({
    ...timing,
    setState: who,
    state: z.enum(MEMBER_STATES).optional(),
    role: z.enum(ROLES).optional(),
    audioState: z.enum(TRACK_STATES).optional(),
    videoState: z.enum(TRACK_STATES).optional(),
  }),
  playlist: z.strictObject({
    ...timing,
    playlist: who,
    what: z.enum(['live', 'on-demand']).default('live'),
    type: z.enum(['HLS', 'DASH']).optional(),
  }),
  fault: z.strictObject({ ...timing, fault: faultRule }),
} as const;

type Shapes = typeof stepShapes;
type SimpleStep = { [V in keyof Shapes]: { readonly verb: V } & z.output<Shapes[V]> }[keyof Shapes];

/** The steps within are played so many times, each round `every` after the one before (or when that is over). */
export interface RepeatStep {
  readonly verb: 'repeat';
  readonly at?: number | undefined;
  readonly after?: number | undefined;
  readonly repeat: number;
  readonly every?: number | undefined;
  readonly steps: readonly Step[];
}
export type Step = SimpleStep | RepeatStep;

const verbs = [...Object.keys(stepShapes), 'repeat'];
const isSimple = (verb: string): verb is keyof Shapes => verb in stepShapes;

const step: z.ZodType<Step> = z.looseObject({}).transform((value, context): Step => {
  const verb = verbs.find((name) => name in value);
  if (verb === undefined) {
    context.addIssue({ code: 'custom', message: `a step has one of ${verbs.join(', ')}` });
    return z.NEVER;
  }
  const read = isSimple(verb) ? stepShapes[verb].safeParse(value) : repeatShape.safeParse(value);
  if (read.success) return { verb, ...read.data } as Step; // the shape was chosen by this very verb
  for (const issue of read.error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    context.addIssue({ code: 'custom', path: [...issue.path, ...unknown], message: issue.message });
  }
  return z.NEVER;
});

const repeatShape = z.strictObject({
  ...timing,
  repeat: z.int().min(1),
  every: milliseconds.optional(),
  steps: z.array(step).min(1),
});

const placeShape = {
  alias: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
};

/** A scripted show: places, a cast, and what happens when. */
export const scenario = z
  .strictObject({
    version: z.literal(1),
    name: z.string().default('show'),
    rooms: z.array(z.strictObject({ ...placeShape, type: z.enum(ROOM_TYPES).optional() })).default([]),
    channels: z.array(z.strictObject(placeShape)).default([]),
    members: z.record(
      z.string(),
      z.strictObject({
        /** Alias of a room or a channel of this scenario: one of the two. */
        room: z.string().optional(),
        channel: z.string().optional(),
        screenName: z.string().optional(),
        role: z.enum(ROLES).optional(),
        state: z.enum(MEMBER_STATES).optional(),
        /** Whether they are there from the start; else a step makes them join. */
        present: z.boolean().default(true),
      }),
    ),
    steps: z.array(step).min(1),
    /** Plays the steps again, `after` the last one; without `times` for ever. */
    loop: z.strictObject({ after: milliseconds.default(0), times: z.int().min(1).optional() }).optional(),
  })
  .superRefine((show, context) => {
    const rooms = new Set(show.rooms.map((room) => room.alias));
    const channels = new Set(show.channels.map((channel) => channel.alias));
    for (const [name, member] of Object.entries(show.members)) {
      if ((member.room === undefined) === (member.channel === undefined))
        context.addIssue({ code: 'custom', path: ['members', name], message: 'give either room or channel' });
      if (member.room !== undefined && !rooms.has(member.room))
        context.addIssue({
          code: 'custom',
          path: ['members', name, 'room'],
          message: `no room "${member.room}" here`,
        });
      if (member.channel !== undefined && !channels.has(member.channel))
        context.addIssue({
          code: 'custom',
          path: ['members', name, 'channel'],
          message: `no channel "${member.channel}" here`,
        });
    }
    const streams = new Set<string>();
    const check = (steps: readonly Step[], path: readonly (string | number)[]): void => {
      for (const [i, one] of steps.entries()) {
        const problem = unknownName(one, show.members, streams);
        if (problem !== undefined)
          context.addIssue({ code: 'custom', path: [...path, i, one.verb], message: problem });
        if (one.verb === 'repeat') check(one.steps, [...path, i, 'steps']);
      }
    };
    check(show.steps, ['steps']);
  });

export type Scenario = z.output<typeof scenario>;

/** A step that was played; with the error when it could not be (someone is gone), which does not stop the show. */
export interface PlayedStep {
  readonly step: Step;
  readonly round: number;
  readonly error?: string;
}

function unknownName(
  one: Step,
  cast: Readonly<Record<string, unknown>>,
  streams: Set<string>,
): string | undefined {
  const nobody = (name: string): string | undefined =>
    name in cast
      ? undefined
      : `nobody in members is called "${name}"; there are ${Object.keys(cast).join(', ')}`;
  const noStream = (name: string): string | undefined =>
    streams.has(name) ? undefined : `no step before this publishes "${name}"`;
  switch (one.verb) {
    case 'publish':
      streams.add(one.as ?? one.publish);
      return nobody(one.publish);
    case 'join':
      return nobody(one.join);
    case 'leave':
      return nobody(one.leave);
    case 'say':
      return nobody(one.say);
    case 'setState':
      return nobody(one.setState);
    case 'end':
      return noStream(one.end);
    case 'playlist':
      return noStream(one.playlist);
    case 'fault':
    case 'repeat':
      break;
  }
  return undefined;
}
