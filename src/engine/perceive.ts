import type { UsherEvent } from '../domain/event.ts';
import type { Author } from '../domain/member.ts';
import type { LaneState } from './lane-state.ts';

/**
 * The author by the member list alone: `verified` when the session is listed under that name. The role is the list's;
 * what a sender says of itself proves nothing.
 */
export function resolveAuthor(state: LaneState, author: Author): Author {
  const member = author.sessionId === undefined ? undefined : state.members.get(author.sessionId);
  const standing =
    author.sessionId === undefined
      ? 'anonymous'
      : member?.screenName === author.screenName
        ? 'verified'
        : 'claimed';
  const role = standing === 'verified' ? member?.role : undefined;
  if (author.standing === standing && author.role === role) return author;
  const { role: _, ...rest } = author;
  return { ...rest, standing, ...(role !== undefined && { role }) };
}

/** The event as the lane's knowledge completes it: who wrote a message, whether a start comes after its end. */
export function perceive(state: LaneState, event: UsherEvent): UsherEvent {
  if (event.type === 'message.posted') {
    const author = resolveAuthor(state, event.author);
    return author === event.author ? event : { ...event, author };
  }
  if (event.type === 'stream.started' && event.late !== true && state.tombstones.has(event.streamId)) {
    return { ...event, late: true };
  }
  return event;
}
