import type { MemberState, Role } from '../../domain/member.ts';
import { endStream } from './end-stream.ts';
import { noteSize } from './estimated-size.ts';
import type { Place, PlaceMember, World } from './world.ts';

export interface MemberDraft {
  readonly sessionId?: string;
  readonly screenName?: string;
  readonly role?: Role;
  readonly state?: MemberState;
}

/** The member of that session in the place; a session that is there already is updated. */
export function join(world: World, place: Place, draft: MemberDraft): PlaceMember {
  const sessionId = draft.sessionId ?? world.ids.session();
  const present = place.members.get(sessionId);
  if (present !== undefined) return change(world, present, draft);
  const member: PlaceMember = {
    sessionId,
    screenName: draft.screenName ?? `guest-${place.members.size + 1}`,
    role: draft.role ?? 'Participant',
    state: draft.state ?? 'Active',
    streams: [],
    lastUpdate: world.clock.now(),
  };
  place.members.set(sessionId, member);
  noteSize(place, world.clock.now());
  return member;
}

export function change(world: World, member: PlaceMember, to: MemberDraft): PlaceMember {
  member.screenName = to.screenName ?? member.screenName;
  member.role = to.role ?? member.role;
  member.state = to.state ?? member.state;
  member.lastUpdate = world.clock.now();
  return member;
}

/** The member's streams end with an empty reason. */
export function leave(world: World, place: Place, member: PlaceMember): void {
  for (const stream of member.streams.slice()) endStream(world, stream, '');
  removeMember(world, place, member);
}

/** Takes the member out of the list and nothing more: its streams live on (option `keep-streams`). */
export function removeMember(world: World, place: Place, member: PlaceMember): void {
  place.members.delete(member.sessionId);
  noteSize(place, world.clock.now());
}
