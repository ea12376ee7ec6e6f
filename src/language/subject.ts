import type { UsherEvent } from '../domain/event.ts';
import { memberKey } from '../domain/member.ts';
import type { Author, Member, MemberKey, MemberState, Role } from '../domain/member.ts';
import type { PlaceView } from '../domain/place-view.ts';

/** Whom an event is about. `role` and `state` come from the member list or are absent: nobody's own word counts. */
export interface Subject {
  readonly key: MemberKey;
  readonly screenName: string;
  readonly standing: Author['standing'];
  readonly role?: Role;
  readonly state?: MemberState;
}

const listed = (member: Member): Subject => ({
  key: memberKey(member),
  screenName: member.screenName,
  standing: 'verified',
  role: member.role,
  state: member.state,
});

/** The author of a message, the member of a member list, the publisher of a stream; undefined where nobody is known. */
export function subjectOf(event: UsherEvent, room: PlaceView): Subject | undefined {
  if (event.type === 'message.posted') return authorOf(room.resolve(event.author), room);
  if ('member' in event) return listed(event.member);
  return 'streamId' in event ? publisherOf(event.streamId, event.sessionId, room) : undefined;
}

function authorOf(author: Author, room: PlaceView): Subject {
  const member = author.standing === 'verified' ? room.member(author.key) : undefined;
  if (member !== undefined) return { ...listed(member), key: author.key };
  const { key, screenName, standing, role } = author;
  return { key, screenName, standing, ...(role !== undefined && { role }) };
}

function publisherOf(streamId: string, session: string | undefined, room: PlaceView): Subject | undefined {
  const sessionId = session ?? room.streams.get(streamId)?.sessionId;
  const member = sessionId === undefined ? undefined : room.members.get(sessionId);
  if (member !== undefined) return listed(member);
  const publisher = room
    .publishers()
    .find(({ streams }) => streams.some((stream) => stream.streamId === streamId));
  if (publisher !== undefined) {
    const { key, screenName, role } = publisher;
    return { key, screenName, standing: 'claimed', ...(role !== undefined && { role }) };
  }
  if (sessionId === undefined) return undefined;
  return { key: memberKey({ sessionId, screenName: '' }), screenName: sessionId, standing: 'claimed' };
}
