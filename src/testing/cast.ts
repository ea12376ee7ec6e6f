import { memberKey, type Author, type Member } from '../domain/member.ts';
import type { LiveStream } from '../domain/place-view.ts';

/** Event time at which each case begins, ms since 1970. */
export const BEGIN = 1_800_000_000_000;

/** The session that a name has in tests. */
export const sessionOf = (name: string): string => `session-${name}`;

/** A member by screen name, an active participant unless told otherwise. */
export const member = (name: string, more: Partial<Member> = {}): Member => ({
  sessionId: sessionOf(name),
  screenName: name,
  role: 'Participant',
  state: 'Active',
  streams: [],
  lastUpdate: BEGIN,
  ...more,
});

/** A live stream of a member by screen name; its id is `stream-<name>` unless given. */
export const stream = (name: string, more: Partial<LiveStream> = {}): LiveStream => ({
  streamId: `stream-${name}`,
  sessionId: sessionOf(name),
  tags: [],
  type: 'User',
  startedAt: BEGIN,
  audio: 'TrackEnabled',
  video: 'TrackEnabled',
  startedBy: `stream.started stream-${name}`,
  ...more,
});

/** An author by screen name: verified when the member is given, claimed else. */
export const author = (name: string, known: Member | undefined, more: Partial<Author> = {}): Author => {
  const sessionId = known?.sessionId ?? sessionOf(name);
  return {
    key: memberKey({ sessionId, screenName: name }),
    sessionId,
    screenName: name,
    standing: known ? 'verified' : 'claimed',
    ...(known && { role: known.role }),
    claimedRole: known?.role ?? 'Participant',
    ...more,
  };
};
