/** The two kinds of place that have members: rooms (with chat) and channels (without). */
export type PlaceKind = 'room' | 'channel';

/** `room:<roomId>` or `channel:<channelId>`; the platform's ids are opaque and contain `#` and `|`. */
export type PlaceKey = `${PlaceKind}:${string}`;

/** A room or a channel by its platform id. */
export interface PlaceRef {
  readonly kind: PlaceKind;
  readonly id: string;
}

/** The four room types of the platform's interface ("Room object"). */
export const ROOM_TYPES = ['DirectChat', 'MultiPartyChat', 'ModeratedChat', 'TownHall'] as const;
export type RoomType = (typeof ROOM_TYPES)[number];

/** What is known of a place besides its id; a channel has no `type`. */
export interface PlaceFacts extends PlaceRef {
  readonly alias: string;
  readonly name: string;
  readonly type?: RoomType;
}

export const placeKey = (place: PlaceRef): PlaceKey => `${place.kind}:${place.id}`;

/** The inverse of `placeKey`; undefined for the key of a lane that is no place (`stream:…`, `daemon`). */
export function placeOfKey(key: string): PlaceRef | undefined {
  const colon = key.indexOf(':');
  const kind = key.slice(0, colon);
  return kind === 'room' || kind === 'channel' ? { kind, id: key.slice(colon + 1) } : undefined;
}
