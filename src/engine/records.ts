import type { ActionId, EventId } from '../domain/ids.ts';
import type { Plain } from '../domain/memory.ts';
import type { Member, MemberKey } from '../domain/member.ts';
import type { PlaceFacts } from '../domain/place.ts';
import type { LiveStream, OwnedResource } from '../domain/place-view.ts';

/** A record that may be forgotten after `until`, ms since 1970. */
export interface Expiring {
  readonly until: number;
}

/** The place of a lane as it was last listed. */
export interface KnownPlace extends PlaceFacts {
  readonly open: boolean;
}

/** A member, and when this daemon last learnt of it (ms since 1970). */
export interface KnownMember extends Member {
  readonly seenAt: number;
}

/** A live stream, and when this daemon last learnt of it (ms since 1970). */
export interface KnownStream extends LiveStream {
  readonly seenAt: number;
}

/** What remains of an ended stream, so that a late `started` revives nothing. */
export interface Tombstone extends Expiring {
  readonly durationMs: number | null;
  readonly reason: string | null;
  readonly seenAt: number;
}

/** Messages in a row, by column; `from` is the number of the first in the room's count. */
export interface MessageRun {
  readonly from: number;
  readonly ids: readonly string[];
  readonly ats: readonly number[];
  readonly authors: readonly MemberKey[];
}

/** A rule's remembered value. */
export interface Remembered extends Expiring {
  readonly value: Plain;
}

/** Points on a ladder as they were at `at`, before decay since then. */
export interface Strikes extends Expiring {
  readonly points: number;
  readonly at: number;
}

/** What is left of a rule's budget of actions at `at`, and when its refusals were last told. */
export interface Spent extends Expiring {
  readonly left: number;
  readonly at: number;
  readonly toldAt?: number;
}

/** A member that a bot silenced. */
export interface Mute extends Expiring {
  readonly screenName: string;
  readonly because: EventId;
}

/** A censored member whose further streams are ended. */
export interface Watch extends Expiring {
  readonly member: MemberKey;
  readonly bot: string;
  readonly shadow: boolean;
  readonly screenName: string;
  readonly reason: string;
}

/** A resource on its way: which of our actions it waits for, and since when nobody wants it. */
export interface KeptResource extends OwnedResource {
  readonly bot: string;
  readonly shadow: boolean;
  /** Stream whose end ends the resource without our doing: a transcoding's origin. */
  readonly origin?: string;
  /** The action that was decided last and has no outcome yet. */
  readonly pending?: ActionId;
  /** The action that started it: its `op:` tag is on a composition's own stream. */
  readonly startedBy: ActionId;
  /** Ms since 1970. */
  readonly unwantedSince?: number;
  /** The last update of it, to `spec`, did not work: another wish is another update, the same wish replaces it. */
  readonly broken?: boolean;
}

/** A resource that ought to be there and is not yet. */
export interface Wish {
  readonly since: number;
}

/** A start that did not work: not before `notBefore` again, or before `otherBefore` for another spec. */
export interface Pause extends Expiring {
  readonly attempts: number;
  readonly notBefore: number;
  readonly otherBefore: number;
  /** What was asked for, where the wish was known. */
  readonly spec?: string;
}

/** A start whose fate nobody knows: should its stream appear, it is this keeper's. */
export interface Stray extends Expiring {
  readonly resource: string;
  readonly key: string;
  readonly rule: string;
  readonly bot: string;
  readonly kind: OwnedResource['kind'];
  readonly spec: string;
}

/** When a schedule last fired in this place, ms since 1970. */
export interface Fired {
  readonly dueAt: number;
}
