import { playlistObjects } from '../playlists/playlist-set.ts';
import { issueToken } from '../edge-token.ts';
import { ok, refuse } from '../http/reply.ts';
import { isLoopback } from '../notifications/loopback.ts';
import { endStream } from '../world/end-stream.ts';
import { manifestAddress } from '../world/ready-playlists.ts';
import type { Handlers } from './handler.ts';
import { serveManifest } from './manifests.ts';
import { streamInfoObject } from './shapes.ts';

const AUTHENTICATION_TOKEN_MS = 3_600_000;
/** What a request target may hold: printable ASCII, no fragment. */
const IN_A_TARGET = /^[!"$-~]*$/;
const STREAM_TOKEN_MS = 24 * 3_600_000;

/** interface.md, endpoints 1 to 7. */
export const streamHandlers: Handlers<
  | 'issueAuthenticationToken'
  | 'issueStreamToken'
  | 'terminateStream'
  | 'deleteStreamArchive'
  | 'listPlaylists'
  | 'getPlaylist'
  | 'registerCallback'
> = {
  issueAuthenticationToken: ({ world }, { body }) =>
    ok({
      authenticationToken: issueToken(world, { ...body, type: 'authentication' }, AUTHENTICATION_TOKEN_MS),
    }),

  issueStreamToken({ world }, { body }) {
    if (body.originStreamId !== undefined) {
      const origin = world.streams.get(body.originStreamId);
      if (origin === undefined) return refuse(404, 'origin-not-found');
      if (origin.endedAt !== undefined) return refuse(410, 'origin-ended');
    }
    const type = body.originStreamId === undefined ? 'publish' : 'view';
    return ok({ streamToken: issueToken(world, { ...body, type }, STREAM_TOKEN_MS) });
  },

  terminateStream({ world }, { body }) {
    const stream = world.streams.get(body.streamId);
    if (stream === undefined) return refuse(404, 'not-found');
    if (stream.endedAt !== undefined) return refuse(410, 'already-ended');
    endStream(world, stream, body.reason);
    return ok();
  },

  deleteStreamArchive({ world }, { body }) {
    const stream = world.streams.get(body.streamId);
    if (stream === undefined) return refuse(404, 'not-found');
    if (stream.archive === 'none') return refuse(404, 'not-found', {}, 'archive-without-on-demand');
    if (stream.archive === 'deleted') return refuse(410, 'already-deleted');
    if (stream.endedAt === undefined) return refuse(409, 'not-ended');
    stream.archive = 'deleted';
    return ok();
  },

  listPlaylists({ world }, { body }) {
    const stream = world.streams.get(body.streamId);
    if (stream === undefined) return refuse(404, 'not-found', {}, 'playlists-unknown-stream');
    const playlists = stream.playlists
      .filter((set) => (set.what === 'live' ? stream.endedAt === undefined : stream.archive === 'kept'))
      .flatMap((set) => playlistObjects(set, (manifest) => manifestAddress(world, stream, manifest)));
    const fields = { playlists, streamInfo: streamInfoObject(stream) };
    return playlists.length === 0 ? ok(fields, 'playlists-not-ready') : ok(fields);
  },

  getPlaylist({ world }, { params, query }) {
    const stream =
      params.applicationId === world.applicationId ? world.streams.get(params.streamId) : undefined;
    if (stream === undefined) return refuse(404, 'not-found', {}, 'manifest-missing');
    return serveManifest(world, stream, params.manifest, query.streamToken);
  },

  registerCallback(platform, { params, body }) {
    if (params.applicationId !== platform.world.applicationId) return refuse(401, 'unauthorized');
    const { protocol = 'http', host, method = 'POST', path = '/', query = '' } = body.callback;
    const port = body.callback.port ?? (protocol === 'https' ? 443 : 80);
    const absolute = path.startsWith('/') ? path : `/${path}`;
    if (!IN_A_TARGET.test(absolute + query))
      return refuse(400, 'bad-request', {
        hint: 'Percent-encode what is not printable ASCII in path and query.',
      });
    platform.callback = { protocol, host, port, method, path: absolute, query };
    const endpoint = `${method} ${protocol}://${host}:${port}${absolute}${query === '' ? '' : `?${query}`}`;
    return isLoopback(host) ? ok({ endpoint }) : ok({ endpoint }, 'notification-target');
  },
};
