import type { ActionType, OutcomeKind } from './action.ts';
import type { ActionId, EventId } from './ids.ts';
import type { LaneKey } from './lane-key.ts';
import type { Author, Member, MemberState, Role, TrackState } from './member.ts';
import type { PlaceFacts, PlaceRef } from './place.ts';

export type { EventId };

/** Where a fact came from. `reconcile`: found by the first polls after a start, so it may be old. */
export type EventSource = 'webhook' | 'poll' | 'reconcile' | 'clock' | 'outcome' | 'operator' | 'daemon';

/** A change of one field of a member. */
export interface Change<T> {
  readonly from: T;
  readonly to: T;
}

interface Fact<T extends string> {
  readonly type: T;
  readonly id: EventId;
  /** When it happened by the platform's word, ms since 1970; `seenAt` where the platform says nothing. */
  readonly at: number;
  /** When this daemon learnt of it, ms since 1970. */
  readonly seenAt: number;
  readonly source: EventSource;
  readonly place?: PlaceRef;
  /** The action of ours that brought it about, if one did. */
  readonly causedBy?: ActionId;
}

export interface MessagePosted extends Fact<'message.posted'> {
  readonly place: PlaceRef;
  readonly messageId: string;
  readonly author: Author;
  readonly text: string;
  readonly mimeType: string;
  readonly tags: readonly string[];
  /** Sent by this bot: known by its signed tag or its returned id, never by a name. */
  readonly own?: boolean;
}

export interface MemberJoined extends Fact<'member.joined'> {
  readonly place: PlaceRef;
  readonly member: Member;
}
export interface MemberLeft extends Fact<'member.left'> {
  readonly place: PlaceRef;
  readonly member: Member;
}
export interface MemberChanged extends Fact<'member.changed'> {
  readonly place: PlaceRef;
  readonly member: Member;
  readonly changes: {
    readonly role?: Change<Role>;
    readonly state?: Change<MemberState>;
    readonly screenName?: Change<string>;
    /** Ids of the member's streams before and after. */
    readonly streams?: Change<readonly string[]>;
  };
}
export interface TrackChanged extends Fact<'track.changed'> {
  readonly place: PlaceRef;
  readonly member: Member;
  readonly streamId: string;
  readonly audio?: Change<TrackState>;
  readonly video?: Change<TrackState>;
}

interface StreamFact<T extends string> extends Fact<T> {
  readonly streamId: string;
  /** Session of the publisher, where the platform tells it. */
  readonly sessionId?: string;
  /** Tags given at publish, as a set: the order is the platform's whim. */
  readonly tags: readonly string[];
  /** Made by an action of ours (a composition's output): it carries our `op:` tag. */
  readonly own?: boolean;
}
export interface StreamStarted extends StreamFact<'stream.started'> {
  /** Its `ended` was seen before: it starts nothing. */
  readonly late?: boolean;
}
export interface StreamEnded extends StreamFact<'stream.ended'> {
  readonly durationMs: number | null;
  readonly reason: string | null;
}
export interface StreamLive extends StreamFact<'stream.live'> {
  readonly uri: string;
  readonly isPrimary: boolean;
}
export interface StreamOnDemand extends StreamFact<'stream.onDemand'> {
  readonly uri: string;
  readonly isPrimary: boolean;
}

/** Derived in the lane from the event before it, never journaled itself: who publishes changed in number. */
export interface PublishersChanged extends Fact<'publishers.changed'> {
  readonly place: PlaceRef;
  readonly from: number;
  readonly to: number;
  /** The journaled event that changed the number. */
  readonly cause: EventId;
}

interface PlaceAppeared<T extends string> extends Fact<T> {
  readonly place: PlaceRef;
  readonly facts: PlaceFacts;
}
export type RoomOpened = PlaceAppeared<'room.opened'>;
export type RoomClosed = PlaceAppeared<'room.closed'>;
export type ChannelOpened = PlaceAppeared<'channel.opened'>;
export type ChannelClosed = PlaceAppeared<'channel.closed'>;

/** A rule's `every` or `schedule` came due for one place. */
export interface ScheduleFired extends Fact<'schedule.fired'> {
  readonly place: PlaceRef;
  readonly bot: string;
  readonly rule: string;
  readonly dueAt: number;
}
/** Something in the lane asked to be woken at `dueAt`: a grace, a window, an expiry. */
export interface ClockTicked extends Fact<'clock.ticked'> {
  readonly lane: LaneKey;
  readonly dueAt: number;
}

/** What became of an action. `result` holds ids that the platform gave (`messageId`, `transcodingId`, …). */
export interface ActionSettled extends Fact<'action.settled'> {
  readonly action: ActionId;
  readonly actionType: ActionType;
  readonly bot: string;
  readonly rule: string;
  readonly outcome: OutcomeKind;
  readonly detail: string;
  readonly result: Readonly<Record<string, string>>;
}

/** A source (`webhooks`, `polling`, a place's polls) stopped giving facts, or gives them again. */
export interface SourceDegraded extends Fact<'source.degraded'> {
  readonly name: string;
  readonly reason: string;
}
export interface SourceRecovered extends Fact<'source.recovered'> {
  readonly name: string;
}
/** Facts that nobody can get back: a purged or rolled-over message range, say. */
export interface PlaceGap extends Fact<'place.gap'> {
  readonly place: PlaceRef;
  readonly reason: string;
}
export interface RuleFailed extends Fact<'rule.failed'> {
  readonly bot: string;
  readonly rule: string;
  readonly event: EventId;
  readonly error: string;
}
export interface RuleQuarantined extends Fact<'rule.quarantined'> {
  readonly bot: string;
  readonly rule: string;
  readonly reason: string;
}
/** A verified notification of a kind or shape that we do not know, kept whole. */
export interface NotificationUnrecognized extends Fact<'notification.unrecognized'> {
  readonly what: string;
  readonly reason: string;
  readonly body: string;
}

/** Everything that can happen. Past tense; closed, so that a `switch` over `type` is exhaustive. */
export type UsherEvent =
  | MessagePosted
  | MemberJoined
  | MemberLeft
  | MemberChanged
  | TrackChanged
  | StreamStarted
  | StreamEnded
  | StreamLive
  | StreamOnDemand
  | PublishersChanged
  | RoomOpened
  | RoomClosed
  | ChannelOpened
  | ChannelClosed
  | ScheduleFired
  | ClockTicked
  | ActionSettled
  | SourceDegraded
  | SourceRecovered
  | PlaceGap
  | RuleFailed
  | RuleQuarantined
  | NotificationUnrecognized;

export type EventType = UsherEvent['type'];
type EventMap = { readonly [E in UsherEvent as E['type']]: E };
/** By look-up, not by `Extract`: so a rule of few events is a rule of events to the compiler. */
export type EventOf<T extends EventType> = EventMap[T];

/** All event types, for checks at run time. A missing one does not compile. */
export const EVENT_TYPES = Object.keys({
  'message.posted': 0,
  'member.joined': 0,
  'member.left': 0,
  'member.changed': 0,
  'track.changed': 0,
  'stream.started': 0,
  'stream.ended': 0,
  'stream.live': 0,
  'stream.onDemand': 0,
  'publishers.changed': 0,
  'room.opened': 0,
  'room.closed': 0,
  'channel.opened': 0,
  'channel.closed': 0,
  'schedule.fired': 0,
  'clock.ticked': 0,
  'action.settled': 0,
  'source.degraded': 0,
  'source.recovered': 0,
  'place.gap': 0,
  'rule.failed': 0,
  'rule.quarantined': 0,
  'notification.unrecognized': 0,
} satisfies Record<EventType, 0>) as readonly EventType[]; // Object.keys widens; the record's keys are exactly these
