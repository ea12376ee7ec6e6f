/** Roles and states of the platform's interface ("Member object"). */
export const ROLES = ['Participant', 'Moderator', 'Presenter', 'Audience'] as const;
export type Role = (typeof ROLES)[number];

export const MEMBER_STATES = ['Active', 'Passive', 'HandRaised', 'Inactive', 'Offline'] as const;
export type MemberState = (typeof MEMBER_STATES)[number];

export const STREAM_TYPES = ['User', 'Presentation', 'Audio'] as const;
export type MemberStreamType = (typeof STREAM_TYPES)[number];

export const TRACK_STATES = ['TrackEnabled', 'TrackDisabled', 'TrackEnded'] as const;
export type TrackState = (typeof TRACK_STATES)[number];

/** A stream as the member list shows it; `streamId` was cut out of the uri. */
export interface MemberStream {
  readonly streamId: string;
  readonly type: MemberStreamType;
  readonly audio: TrackState;
  readonly video: TrackState;
}

/** A member as the member list shows it. `lastUpdate` in ms since 1970. */
export interface Member {
  readonly sessionId: string;
  readonly screenName: string;
  readonly role: Role;
  readonly state: MemberState;
  readonly streams: readonly MemberStream[];
  readonly lastUpdate: number;
}

/** `session:<id>` where a session is known, else `name:<folded screen name>`. What moderation state is kept by. */
export type MemberKey = `session:${string}` | `name:${string}`;

/**
 * Who sent a message. `verified`: the session is in the member list under that name; `claimed`: a session or name
 * that the member list does not confirm; `anonymous`: no session at all. `role` comes from the member list only;
 * `claimedRole` is what the sender says of itself and proves nothing.
 */
export interface Author {
  readonly key: MemberKey;
  readonly sessionId?: string;
  readonly screenName: string;
  readonly standing: 'verified' | 'claimed' | 'anonymous';
  readonly role?: Role;
  readonly claimedRole: Role;
}

/** The key of a member or an author; names are compared in NFKC and lower case. */
export const memberKey = (who: {
  readonly sessionId?: string | undefined;
  readonly screenName: string;
}): MemberKey =>
  who.sessionId === undefined || who.sessionId === ''
    ? `name:${who.screenName.normalize('NFKC').toLowerCase().trim()}`
    : `session:${who.sessionId}`;
