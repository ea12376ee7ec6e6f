import { endStream } from './end-stream.ts';
import { join, removeMember } from './members.ts';
import { publish } from './publish.ts';
import type { Place, PlaceMember, World } from './world.ts';

export interface ForkOptions {
  readonly streamTags: readonly string[];
  readonly streamCapabilities: readonly string[];
  readonly force: boolean;
  readonly additive: boolean;
  readonly keepStreams: boolean;
}

/** Copies the publishers of `source` (interface.md, endpoint 13); the answer is the forked members at the destination. */
export function fork(world: World, source: Place, destination: Place, options: ForkOptions): PlaceMember[] {
  const forked: PlaceMember[] = [];
  for (const from of source.members.values()) {
    if (from.streams.length === 0) continue;
    const present = destination.members.get(from.sessionId);
    if (present !== undefined && present.streams.length > 0) {
      if (options.force) replace(world, destination, present, options.keepStreams);
      else if (!options.additive) continue;
    }
    const to = join(world, destination, {
      sessionId: from.sessionId,
      screenName: from.screenName,
      role: from.role,
      state: from.state,
    });
    for (const stream of from.streams)
      publish(world, destination, to, {
        type: stream.type,
        tags: options.streamTags,
        capabilities: options.streamCapabilities,
        forkedFrom: stream,
      });
    forked.push(to);
  }
  return forked;
}

function replace(world: World, place: Place, member: PlaceMember, keepStreams: boolean): void {
  if (!keepStreams) for (const stream of member.streams.slice()) endStream(world, stream, '');
  removeMember(world, place, member);
}
