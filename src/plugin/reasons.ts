import type { EventId, UsherEvent } from '../domain/event.ts';
import { memberKey, type Author, type Member, type MemberKey } from '../domain/member.ts';
import type { PlaceRef } from '../domain/place.ts';

/** Why an action is done: events, or their ids; one or many. */
export type Because = UsherEvent | EventId | readonly (UsherEvent | EventId)[];

/** A member by key, or anything that has a name and a session. */
export type Subject =
  | MemberKey
  | Pick<Author, 'key' | 'screenName'>
  | (Pick<Member, 'screenName'> & { readonly sessionId?: string });

const list = (because: Because): readonly (UsherEvent | EventId)[] =>
  typeof because === 'string' || 'type' in because ? [because] : because;

/** The ids of reasons, in the order given, each once. */
export const reasonIds = (because: Because): readonly EventId[] => [
  ...new Set(list(because).map((reason) => (typeof reason === 'string' ? reason : reason.id))),
];

/** The place of the first reason that has one; throws where neither it nor `place` tells. */
export function placeOf(what: string, because: Because, place?: PlaceRef): PlaceRef {
  const found = place ?? list(because).find((reason) => typeof reason !== 'string' && reason.place);
  if (typeof found === 'object') {
    const ref = 'kind' in found ? found : found.place;
    if (ref) return { kind: ref.kind, id: ref.id };
  }
  throw new TypeError(
    `${what} does not know its place: give events (not only ids) as \`because\`, or \`place: room\`.`,
  );
}

/** Key and screen name of a subject; a bare key finds its name among the reasons, else in the key itself. */
export function subjectOf(
  subject: Subject,
  because: Because,
): { readonly member: MemberKey; readonly screenName: string } {
  if (typeof subject !== 'string') {
    return {
      member: 'key' in subject ? subject.key : memberKey(subject),
      screenName: subject.screenName,
    };
  }
  for (const reason of list(because)) {
    if (typeof reason === 'string') continue;
    if (reason.type === 'message.posted' && reason.author.key === subject) {
      return { member: subject, screenName: reason.author.screenName };
    }
    if ('member' in reason && memberKey(reason.member) === subject) {
      return { member: subject, screenName: reason.member.screenName };
    }
  }
  return { member: subject, screenName: subject.startsWith('name:') ? subject.slice('name:'.length) : '' };
}
