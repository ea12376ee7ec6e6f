import type { UsherEvent } from '../domain/event.ts';
import { memberKey, type MemberKey } from '../domain/member.ts';

/** Whose doing an event is: what `cooldown: {per: member}` counts by. */
export function eventSubject(event: UsherEvent): MemberKey | undefined {
  if (event.type === 'message.posted') return event.author.key;
  if ('member' in event) return memberKey(event.member);
  if ('sessionId' in event && event.sessionId !== undefined) return `session:${event.sessionId}`;
  return undefined;
}

/** The tags that an event carries; none where events of its type have no tags. */
export const eventTags = (event: UsherEvent): readonly string[] => ('tags' in event ? event.tags : []);
