import { endStream } from './end-stream.ts';
import { removeMember } from './members.ts';
import type { Place, PlaceMember, World } from './world.ts';

/** Removes every publisher; the answer shows the members as they were, with their streams. */
export function kill(
  world: World,
  place: Place,
  options: { readonly reason: string; readonly keepStreams: boolean },
): PlaceMember[] {
  const killed: PlaceMember[] = [];
  for (const member of place.members.values()) {
    if (member.streams.length === 0) continue;
    killed.push({ ...member, streams: [...member.streams] });
    removeMember(world, place, member);
    if (!options.keepStreams)
      for (const stream of member.streams.slice()) endStream(world, stream, options.reason);
  }
  return killed;
}
