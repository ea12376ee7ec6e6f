import type { RoomType } from '../domain/place.ts';
import type { Channel, Room, PlatformMember, Message } from '../platform/index.ts';

/** Every poll is one attempt: the next poll is its retry. */
export interface PollOptions {
  readonly signal: AbortSignal;
  readonly retry: 'never';
}

/** What a page of messages holds (interface.md, endpoint 27): ascending, both bounds exclusive. */
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly hasMoreBefore: boolean;
  readonly hasMoreAfter: boolean;
}

/** The part of the platform's client that polling needs; rejects with `PlatformError`. */
export interface PollingClient {
  listRooms(
    input: { type: RoomType },
    options: PollOptions,
  ): Promise<{ readonly rooms: readonly Pick<Room, 'roomId' | 'alias' | 'name' | 'type'>[] }>;
  listChannels(
    input: object,
    options: PollOptions,
  ): Promise<{ readonly channels: readonly Pick<Channel, 'channelId' | 'alias' | 'name'>[] }>;
  listRoomMembers(
    input: { roomId: string },
    options: PollOptions,
  ): Promise<{ readonly members: readonly PlatformMember[] }>;
  listChannelMembers(
    input: { channelId: string },
    options: PollOptions,
  ): Promise<{ readonly members: readonly PlatformMember[] }>;
  listMessages(
    input: { roomId: string; limit: number; afterMessageId?: string; beforeMessageId?: string },
    options: PollOptions,
  ): Promise<MessagePage>;
}
