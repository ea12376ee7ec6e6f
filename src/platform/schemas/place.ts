import { z } from 'zod';
import { ROOM_TYPES } from '../../domain/place.ts';
import { rfc3339 } from './unix-time.ts';

export const roomType = z.enum(ROOM_TYPES);

/** Applied only to what is published into the room over RTMP (interface.md, "Ingest options object"). */
export const ingestOptions = z.object({
  capabilities: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  screenName: z.string().optional(),
  /** Frames per second; more than 30 is experimental. */
  maxFps: z.number().optional(),
  buffer: z.number().optional(),
  /** Milliseconds. */
  prerollSkipDuration: z.number().optional(),
  jitterBuffer: z.number().optional(),
});
export type IngestOptions = z.output<typeof ingestOptions>;

const placeFields = {
  alias: z.string(),
  applicationId: z.string(),
  name: z.string(),
  description: z.string(),
  /** A secret: whoever has it can publish. */
  streamKey: z.string(),
  created: rfc3339,
  lastUpdate: rfc3339,
  /** Members, some seconds behind; null in lists. */
  estimatedSize: z.int().nullable(),
  options: z.array(z.unknown()),
};

/** interface.md, "Channel object". `streamKey` is a secret. */
export const channel = z.object({ channelId: z.string(), type: z.literal('Channel'), ...placeFields });
export type Channel = z.output<typeof channel>;

/** interface.md, "Room object". `streamKey` is a secret. */
export const room = z.object({
  roomId: z.string(),
  type: roomType,
  ...placeFields,
  ingestOptions: ingestOptions.optional(),
});
export type Room = z.output<typeof room>;

/** What creates a channel (interface.md, endpoint 8): an empty alias asks for a generated one. */
export const channelToCreate = z.object({
  alias: z.string(),
  name: z.string(),
  description: z.string(),
  options: z.array(z.unknown()),
});
export type ChannelToCreate = z.input<typeof channelToCreate>;

/** What creates a room (interface.md, endpoint 17); without `type` it becomes a `MultiPartyChat`. */
export const roomToCreate = z.object({
  ...channelToCreate.shape,
  type: roomType.optional(),
  ingestOptions: ingestOptions.optional(),
});
export type RoomToCreate = z.input<typeof roomToCreate>;
