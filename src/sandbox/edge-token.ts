import { createEdgeToken, readEdgeToken } from '../platform/index.ts';
import type { LiveStream, World } from './world/world.ts';

/** A token in the edge form that runs out `lifetimeMs` from now on the sandbox's clock. */
export const issueToken = (
  world: World,
  claims: Readonly<Record<string, unknown>>,
  lifetimeMs: number,
): string => createEdgeToken(world, { ...claims, expires: world.clock.now() + lifetimeMs });

/** Types of tokens that open no playlist. */
const FOR_OTHER_THINGS: ReadonlySet<unknown> = new Set(['publish', 'authentication']);

/**
 * Whether a token opens the playlists of a stream: genuine, not expired, and issued for this stream
 * (`originStreamId`), for a place of it (`requiredTag`, as in `channelAlias:tv`), or for neither.
 */
export function admits(world: World, stream: LiveStream, token: string | undefined): boolean {
  if (token === undefined) return false;
  const reading = readEdgeToken(token, world, world.clock.now());
  if (!reading.ok || FOR_OTHER_THINGS.has(reading.claims.type)) return false;
  const { originStreamId, requiredTag } = reading.claims;
  if (originStreamId !== undefined && originStreamId !== stream.streamId) return false;
  return requiredTag === undefined || (typeof requiredTag === 'string' && stream.tags.includes(requiredTag));
}
