import type { EventId } from './event.ts';
import type { Author, Member, MemberKey, Role, TrackState } from './member.ts';
import type { PlaceFacts } from './place.ts';

/** A live stream in a place, folded from notifications and member lists; never one of our own compositions. */
export interface LiveStream {
  readonly streamId: string;
  readonly sessionId?: string;
  readonly tags: readonly string[];
  readonly type: 'User' | 'Presentation' | 'Audio';
  /** Ms since 1970. */
  readonly startedAt: number;
  readonly audio: TrackState;
  readonly video: TrackState;
  /** The event that told of it: what an action about this stream names as its reason. */
  readonly startedBy: EventId;
}

/** A member, or a session not yet in the member list, with at least one live stream. Oldest stream first. */
export interface Publisher {
  readonly key: MemberKey;
  readonly sessionId?: string;
  readonly screenName: string;
  readonly role?: Role;
  /** Start of the oldest live stream, ms since 1970. */
  readonly since: number;
  readonly streams: readonly LiveStream[];
}

/** A message that the room still remembers (a bounded number of the newest). */
export interface RecentMessage {
  readonly messageId: string;
  readonly at: number;
  readonly author: MemberKey;
  readonly eventId: EventId;
}

/** A resource that a keeper owns in this place. `platformId` is known once the platform gave it. */
export interface OwnedResource {
  readonly key: string;
  readonly rule: string;
  readonly kind: 'transcoding' | 'composition';
  readonly phase: 'starting' | 'running' | 'stopping';
  readonly platformId?: string;
  /** Canonical JSON of the spec that was last asked for. */
  readonly spec: string;
}

/**
 * What is known of a place, read-only: the projection folded from its events up to and including the event at hand.
 * Frozen data behind functions; a rule can keep nothing and change nothing.
 */
export interface PlaceView extends PlaceFacts {
  /** False until a list or an event has shown the place. */
  readonly known: boolean;
  readonly members: ReadonlyMap<string, Member>;
  /** By session, or by name where a key has no session (the first of that name). */
  member(key: MemberKey): Member | undefined;
  /** All streams that are live, by stream id. */
  readonly streams: ReadonlyMap<string, LiveStream>;
  /** In order of `since`. */
  publishers(): readonly Publisher[];
  /** Newest last. */
  readonly messages: readonly RecentMessage[];
  /** Points on a ladder after decay, at `now`. */
  strikes(ladder: string, member: MemberKey): number;
  muted(member: MemberKey): boolean;
  readonly resources: ReadonlyMap<string, OwnedResource>;
  /** The author of a message as the member list knows it now. */
  resolve(author: Author): Author;
}
