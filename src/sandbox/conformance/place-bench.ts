import { z } from 'zod';
import type { Bench, PlaceId } from './bench.ts';
import { fits } from './judge.ts';

/** The two sets of names of what channels and rooms have in common. */
export const KINDS = [
  {
    kind: 'room',
    create: 'createRoom',
    get: 'getRoom',
    members: 'listRoomMembers',
    list: 'listRooms',
    remove: 'deleteRoom',
    fork: 'forkRoom',
    kill: 'killRoom',
    count: 'countRoomPublishers',
    manifest: 'getRoomManifest',
  },
  {
    kind: 'channel',
    create: 'createChannel',
    get: 'getChannel',
    members: 'listChannelMembers',
    list: 'listChannels',
    remove: 'deleteChannel',
    fork: 'forkChannel',
    kill: 'killChannel',
    count: 'countChannelPublishers',
    manifest: 'getChannelManifest',
  },
] as const;

/** The operations of one kind of place. */
export type PlaceNames = (typeof KINDS)[number];

/** An id in the platform's look that no place has. */
export const NOBODY = 'us-northeast#nobody#nothing.000000000000';

const listed = z.object({
  members: z.array(z.object({ sessionId: z.string(), streams: z.array(z.object({ uri: z.string() })) })),
});

/** Makes and asks after places of one kind, so that a check can be written once for both. */
export class PlaceBench {
  readonly names: PlaceNames;
  readonly isRoom: boolean;

  constructor(names: PlaceNames) {
    this.names = names;
    this.isRoom = names.kind === 'room';
  }

  async make(
    bench: Bench,
  ): Promise<{ readonly id: string; readonly alias: string; readonly place: PlaceId }> {
    if (this.isRoom) {
      const { roomId, alias } = await bench.room();
      return { id: roomId, alias, place: { roomId } };
    }
    const { channelId, alias } = await bench.channel();
    return { id: channelId, alias, place: { channelId } };
  }

  /** The path parameters of a place. */
  at(id: string): Readonly<Record<string, string>> {
    return this.isRoom ? { roomId: id } : { channelId: id };
  }

  /** The path parameters of a fork. */
  between(to: string, from: string): Readonly<Record<string, string>> {
    return { ...this.at(to), [this.isRoom ? 'sourceRoomId' : 'sourceChannelId']: from };
  }

  async membersOf(bench: Bench, id: string): Promise<z.output<typeof listed>['members']> {
    return fits(await bench.call(this.names.members, { params: this.at(id) }), listed).members;
  }
}
