import type { ActionId, EventId } from './ids.ts';
import type { MemberKey, Role } from './member.ts';
import type { PlaceRef } from './place.ts';

export type { ActionId };

/** `exact`: the platform does it; `emulated`: several calls, with races; `advisory`: needs a client that honours it. */
export type Guarantee = 'exact' | 'emulated' | 'advisory';

/** The fixed words for what became of an action. */
export const OUTCOMES = ['performed', 'shadowed', 'held', 'refused', 'failed', 'unknown'] as const;
export type OutcomeKind = (typeof OUTCOMES)[number];

/** The sender of a bot's messages. */
export interface Speaker {
  readonly screenName: string;
  readonly role: Role;
}

interface Deed<T extends string> {
  readonly type: T;
  readonly place?: PlaceRef;
}

export interface SendMessage extends Deed<'message.send'> {
  readonly place: PlaceRef;
  readonly text: string;
  readonly tags: readonly string[];
}
/** Asks clients to hide messages by one marker message; advisory. */
export interface HideMessages extends Deed<'message.hide'> {
  readonly place: PlaceRef;
  readonly messageIds: readonly string[];
}
export interface TerminateStream extends Deed<'stream.terminate'> {
  readonly streamId: string;
  readonly reason: string;
}
/** Ends every live stream of a member; with `watchMs`, also those that it publishes within that time. */
export interface CensorMember extends Deed<'member.censor'> {
  readonly place: PlaceRef;
  readonly member: MemberKey;
  readonly screenName: string;
  readonly reason: string;
  readonly watchMs: number;
}
/** Hides each further message of a member for `forMs`. */
export interface MuteMember extends Deed<'member.mute'> {
  readonly place: PlaceRef;
  readonly member: MemberKey;
  readonly screenName: string;
  readonly forMs: number;
}
/** Recorded for all places of the bot; enforced on each publish, message and join. */
export interface BanMember extends Deed<'member.ban'> {
  readonly place: PlaceRef;
  readonly member: MemberKey;
  readonly screenName: string;
  readonly forMs: number;
  readonly reason: string;
}
export interface StrikeMember extends Deed<'member.strike'> {
  readonly place: PlaceRef;
  readonly member: MemberKey;
  readonly screenName: string;
  readonly ladder: string;
  readonly points: number;
  readonly reason: string;
}
/** Deletes all messages of a room. */
export interface PurgeRoom extends Deed<'room.purge'> {
  readonly place: PlaceRef;
}
/** Tells people outside: `target` is a name under the bot's `notify`. */
export interface SendNotice extends Deed<'notify.send'> {
  readonly target: string;
  readonly text: string;
}
export interface WriteLog extends Deed<'log.write'> {
  readonly text: string;
}

export type TranscodingType = 'DASH' | 'HLS';
export type Quality = 'uld' | 'vld' | 'ld' | 'sd' | 'hd' | 'fhd' | 'xhd';

/** What a transcoding is to be (interface.md, endpoint 32). */
export interface TranscodingSpec {
  readonly streamId: string;
  readonly type: TranscodingType;
  readonly quality: Quality;
  readonly onDemand: boolean;
  readonly only?: 'audio' | 'video';
  readonly capabilities: readonly string[];
  readonly tags: readonly string[];
}
/** `resource` names what is owned within the place; one resource is one transcoding or composition. */
export interface StartTranscoding extends Deed<'transcoding.start'> {
  readonly resource: string;
  readonly spec: TranscodingSpec;
}
export interface StopTranscoding extends Deed<'transcoding.stop'> {
  readonly resource: string;
  readonly transcodingId: string;
  readonly reason: string;
}

export type Anchor = 'TopLeft' | 'TopRight' | 'BottomLeft' | 'BottomRight' | 'Center';

/** One input on the canvas, offsets in pixels from the anchor (interface.md, "Composition stream input object"). */
export interface CompositionInput {
  readonly streamId: string;
  readonly offset?: { readonly anchor: Anchor; readonly x: number; readonly y: number };
  readonly width?: number;
  readonly height?: number;
}
/** The first input is full screen, the others are insets. */
export interface CompositionSpec {
  readonly inputs: readonly CompositionInput[];
  readonly capabilities: readonly string[];
  readonly tags: readonly string[];
}
export interface StartComposition extends Deed<'composition.start'> {
  readonly place: PlaceRef;
  readonly resource: string;
  readonly spec: CompositionSpec;
}
export interface UpdateComposition extends Deed<'composition.update'> {
  readonly place: PlaceRef;
  readonly resource: string;
  readonly compositionId: string;
  readonly spec: CompositionSpec;
}
export interface StopComposition extends Deed<'composition.stop'> {
  readonly place: PlaceRef;
  readonly resource: string;
  readonly compositionId: string;
  readonly reason: string;
}

/** What can be done, before the engine has signed it: what a rule returns (with its `because`). */
export type Deeds =
  | SendMessage
  | HideMessages
  | TerminateStream
  | CensorMember
  | MuteMember
  | BanMember
  | StrikeMember
  | PurgeRoom
  | SendNotice
  | WriteLog
  | StartTranscoding
  | StopTranscoding
  | StartComposition
  | UpdateComposition
  | StopComposition;

export type ActionType = Deeds['type'];

type DeedMap = { readonly [D in Deeds as D['type']]: D };
/** The deeds of some types, by look-up and not by `Extract`: so few actions are actions to the compiler. */
export type DeedOf<T extends ActionType> = DeedMap[T];

/** What a rule proposes: a deed and the events that are its reason. Empty `because` means the event at hand. */
export type ActionDraft<T extends ActionType = ActionType> = DeedOf<T> & {
  readonly because: readonly EventId[];
};

/** A draft that the engine has signed: who does it, by which rule, for which events, with what guarantee. */
export type Action<T extends ActionType = ActionType> = DeedOf<T> & {
  readonly id: ActionId;
  readonly bot: string;
  readonly rule: string;
  readonly because: readonly EventId[];
  readonly guarantee: Guarantee;
  readonly as: Speaker;
  /** Event time of the decision, ms since 1970. */
  readonly decidedAt: number;
};

/** The promise of each action, printed by `usher check` (rules.md, "Actions"). */
export const GUARANTEES: Readonly<Record<ActionType, Guarantee>> = {
  'message.send': 'exact',
  'message.hide': 'advisory',
  'stream.terminate': 'exact',
  'member.censor': 'exact',
  'member.mute': 'advisory',
  'member.ban': 'emulated',
  'member.strike': 'exact',
  'room.purge': 'exact',
  'notify.send': 'exact',
  'log.write': 'exact',
  'transcoding.start': 'exact',
  'transcoding.stop': 'exact',
  'composition.start': 'exact',
  'composition.update': 'exact',
  'composition.stop': 'exact',
};

/** All action types, for checks at run time. */
export const ACTION_TYPES = Object.keys(GUARANTEES) as readonly ActionType[]; // Object.keys widens the record's keys
