import { z } from 'zod';
import { MEMBER_STATES, ROLES, STREAM_TYPES, TRACK_STATES } from '../domain/member.ts';
import { ROOM_TYPES } from '../domain/place.ts';
import { milliseconds } from './milliseconds.ts';

/** Which place: one of the four. */
const place = {
  roomId: z.string().optional(),
  channelId: z.string().optional(),
  roomAlias: z.string().optional(),
  channelAlias: z.string().optional(),
};
const names = z.array(z.string());

/** What each verb of the sandbox takes, in process, over its control API and in scenario files alike. */
export const verbInputs = {
  createRoom: z.strictObject({
    alias: z.string().default(''),
    name: z.string().optional(),
    description: z.string().default(''),
    type: z.enum(ROOM_TYPES).default('MultiPartyChat'),
    options: z.array(z.unknown()).default([]),
  }),
  createChannel: z.strictObject({
    alias: z.string().default(''),
    name: z.string().optional(),
    description: z.string().default(''),
    options: z.array(z.unknown()).default([]),
  }),
  join: z.strictObject({
    ...place,
    sessionId: z.string().optional(),
    screenName: z.string().optional(),
    role: z.enum(ROLES).optional(),
    state: z.enum(MEMBER_STATES).optional(),
  }),
  /** Without a place: wherever the session is. */
  leave: z.strictObject({ ...place, sessionId: z.string() }),
  setState: z.strictObject({
    ...place,
    sessionId: z.string(),
    screenName: z.string().optional(),
    role: z.enum(ROLES).optional(),
    state: z.enum(MEMBER_STATES).optional(),
    /** Of all live streams of the session, or of `streamId`. */
    audioState: z.enum(TRACK_STATES).optional(),
    videoState: z.enum(TRACK_STATES).optional(),
    streamId: z.string().optional(),
  }),
  /** A session that is not there yet joins; without a session a new one does. */
  publish: z.strictObject({
    ...place,
    sessionId: z.string().optional(),
    screenName: z.string().optional(),
    role: z.enum(ROLES).optional(),
    capabilities: names.optional(),
    tags: names.optional(),
    type: z.enum(STREAM_TYPES).optional(),
  }),
  /** A stream, or every live stream of a session. */
  end: z.strictObject({
    streamId: z.string().optional(),
    sessionId: z.string().optional(),
    reason: z.string().default(''),
  }),
  /** The sender is the member of that session; without one, whoever `screenName` and `role` claim to be. */
  say: z.strictObject({
    ...place,
    sessionId: z.string().optional(),
    screenName: z.string().optional(),
    role: z.enum(ROLES).optional(),
    message: z.string(),
    mimeType: z.string().default('text/plain'),
    tags: names.default([]),
  }),
  makePlaylistReady: z.strictObject({
    streamId: z.string(),
    what: z.enum(['live', 'on-demand']).default('live'),
    type: z.enum(['HLS', 'DASH']).optional(),
  }),
  advance: z.strictObject({ advance: milliseconds }),
} as const;

type Inputs = typeof verbInputs;
export type VerbName = keyof Inputs;
/** What a caller writes. */
export type VerbInput<V extends VerbName> = z.input<Inputs[V]>;
/** Choices of a place, as a caller writes them. */
export type PlaceChoice = Pick<VerbInput<'leave'>, keyof typeof place>;
