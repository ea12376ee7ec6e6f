import type { UsherEvent } from '../../src/domain/event.ts';
import type { Member } from '../../src/domain/member.ts';
import { placeKey, type PlaceFacts, type PlaceKey } from '../../src/domain/place.ts';
import type { LiveStream, PlaceView } from '../../src/domain/place-view.ts';
import type { PlaceDirectory } from '../../src/engine/ports.ts';
import { placeOfTags } from '../../src/ingress/place-of-tags.ts';

const NOWHERE = { kind: 'room', id: '' } as const;

interface Folded {
  members: Map<string, Member>;
  streams: Map<string, LiveStream>;
  lastMessageId: string | undefined;
  seenAt: Map<string, number>;
}

/** The engine's projections as far as polls are compared with them. */
export interface FoldedDirectory extends PlaceDirectory {
  fold(event: UsherEvent): void;
  members(roomId: string): readonly Member[];
  /** Rooms whose lanes are behind, and since when. */
  readonly behind: Map<string, number>;
}

export function foldedDirectory(): FoldedDirectory {
  const behind = new Map<string, number>();
  const open = new Map<PlaceKey, PlaceFacts>();
  const lanes = new Map<PlaceKey, Folded>();
  const lane = (key: PlaceKey): Folded => {
    const found = lanes.get(key) ?? {
      members: new Map(),
      streams: new Map(),
      lastMessageId: undefined,
      seenAt: new Map(),
    };
    lanes.set(key, found);
    return found;
  };
  return {
    places: () => [...open.values()],
    view(place) {
      const folded = lanes.get(placeKey(place));
      // Polls read members and streams only.
      return folded && ({ members: folded.members, streams: folded.streams } as unknown as PlaceView);
    },
    lastMessageId: (place) => lanes.get(placeKey(place))?.lastMessageId,
    behind,
    waitingSince: (place) => behind.get(place.id),
    seenAt: (place, id) => lanes.get(placeKey(place))?.seenAt.get(id),
    members: (roomId) => [...lane(`room:${roomId}`).members.values()],
    fold(event) {
      if (event.type === 'room.opened' || event.type === 'channel.opened') {
        open.set(placeKey(event.place), event.facts);
      } else if (event.type === 'room.closed' || event.type === 'channel.closed') {
        open.delete(placeKey(event.place));
      } else if (event.type === 'message.posted') {
        lane(placeKey(event.place)).lastMessageId = event.messageId;
      } else if (event.type === 'member.left') {
        lane(placeKey(event.place)).members.delete(event.member.sessionId);
      } else if (
        event.type === 'member.joined' ||
        event.type === 'member.changed' ||
        event.type === 'track.changed'
      ) {
        const { members, seenAt } = lane(placeKey(event.place));
        members.set(event.member.sessionId, event.member);
        seenAt.set(event.member.sessionId, event.seenAt);
      } else if (event.type === 'stream.ended') {
        for (const { streams } of lanes.values()) streams.delete(event.streamId);
      } else if (event.type === 'stream.started') {
        const { streams, seenAt } = lane(placeKey(event.place ?? placeOfTags(event.tags) ?? NOWHERE));
        seenAt.set(event.streamId, event.seenAt);
        streams.set(event.streamId, {
          streamId: event.streamId,
          ...(event.sessionId === undefined ? {} : { sessionId: event.sessionId }),
          tags: event.tags,
          type: 'User',
          startedAt: event.at,
          audio: 'TrackEnabled',
          video: 'TrackEnabled',
          startedBy: event.id,
        });
      }
    },
  };
}
