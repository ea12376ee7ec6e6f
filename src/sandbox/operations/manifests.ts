import { admits } from '../edge-token.ts';
import type { Reply } from '../http/reply.ts';
import { marked, refuse, text } from '../http/reply.ts';
import { dashManifest } from '../playlists/dash.ts';
import { hlsManifest } from '../playlists/hls.ts';
import type { PlaylistSet } from '../playlists/playlist-set.ts';
import { extensionOf } from '../playlists/playlist-set.ts';
import type { LiveStream, World } from '../world/world.ts';

/** 401 for a stream under `token-auth` without a token that opens it; undefined when the way is free. */
export function withoutToken(world: World, stream: LiveStream, token: string | undefined): Reply | undefined {
  if (!stream.capabilities.includes('token-auth') || admits(world, stream, token)) return undefined;
  return refuse(
    401,
    'unauthorized',
    { hint: 'This stream has token-auth: send a valid edge token as query streamToken.' },
    'manifest-access',
  );
}

/** The body of a playlist of that stream (interface.md, endpoints 6 and 16). */
export function serveManifest(
  world: World,
  stream: LiveStream,
  manifest: string,
  token: string | undefined,
): Reply {
  const refused = withoutToken(world, stream, token);
  if (refused !== undefined) return refused;
  const found = findManifest(stream, manifest);
  if (found === undefined) return refuse(404, 'not-found', {}, 'manifest-missing');
  const timing = {
    now: world.clock.now(),
    startedAt: stream.startedAt,
    ...(stream.endedAt === undefined ? {} : { endedAt: stream.endedAt }),
  };
  const query = token === undefined ? '' : `?streamToken=${encodeURIComponent(token)}`;
  const [body, type] =
    found.set.type === 'HLS'
      ? [hlsManifest(found.set, found.level, timing, query), 'application/vnd.apple.mpegurl']
      : [dashManifest(found.set, found.level, timing, query), 'application/dash+xml'];
  return marked(text(200, body, type), 'manifest-access');
}

/** The set that a manifest name belongs to, and the level after its base; undefined when nothing is ready under it. */
function findManifest(
  stream: LiveStream,
  manifest: string,
): { readonly set: PlaylistSet; readonly level: string } | undefined {
  for (const set of stream.playlists) {
    const extension = extensionOf(set.type);
    if (!manifest.startsWith(set.base) || !manifest.endsWith(extension)) continue;
    if (set.what === 'live' ? stream.endedAt !== undefined : stream.archive !== 'kept') continue;
    const level = manifest.slice(set.base.length, -extension.length);
    if (level === '') return { set, level };
    if (level.startsWith('-') && hasLevel(set, level.slice(1))) return { set, level: level.slice(1) };
  }
  return undefined;
}

const hasLevel = (set: PlaylistSet, level: string): boolean =>
  set.renditions.some((one) => one.id === level || `audio-${one.audioKbps}` === level);
