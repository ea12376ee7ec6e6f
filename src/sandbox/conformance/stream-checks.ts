import { operations, readEdgeToken } from '../../platform/index.ts';
import type { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { answers, fits, hold } from './judge.ts';

const { issueAuthenticationToken, issueStreamToken, terminateStream, deleteStreamArchive, listPlaylists } =
  operations;

async function stream(bench: Bench, capabilities: readonly string[] = []): Promise<string> {
  const { roomId } = await bench.room();
  const { streamId } = await bench.publish({ roomId }, { capabilities });
  return streamId;
}

async function ended(bench: Bench, capabilities: readonly string[] = []): Promise<string> {
  const streamId = await stream(bench, capabilities);
  fits(
    await bench.call('terminateStream', { body: { streamId, reason: 'ended' } }),
    terminateStream.response.schema,
  );
  return streamId;
}

const byControl = { control: true } as const;

/** interface.md, endpoints 1 to 7. */
export const streamChecks: readonly Check[] = [
  check('issueAuthenticationToken', '200', 'Response 200: status, authenticationToken.', async (bench) => {
    const answer = await bench.call('issueAuthenticationToken', { body: { capabilities: ['wildcard'] } });
    const { authenticationToken } = fits(answer, issueAuthenticationToken.response.schema);
    hold(authenticationToken !== '', 'the token is empty');
  }),
  check('issueStreamToken', '200', 'Without originStreamId it is a publish token.', async (bench) => {
    const answer = await bench.call('issueStreamToken', { body: { sessionId: '*', capabilities: ['hd'] } });
    fits(answer, issueStreamToken.response.schema);
  }),
  check('issueStreamToken', '404.origin-not-found', 'The origin stream is unknown: 404.', async (bench) => {
    const answer = await bench.call('issueStreamToken', {
      body: { sessionId: '*', originStreamId: 'no#such.stream' },
    });
    answers(answer, 404, 'origin-not-found');
  }),
  check(
    'issueStreamToken',
    '410.origin-ended',
    'The origin stream has ended: 410.',
    async (bench) =>
      answers(
        await bench.call('issueStreamToken', {
          body: { sessionId: '*', originStreamId: await ended(bench) },
        }),
        410,
        'origin-ended',
      ),
    byControl,
  ),
  check(
    'issueStreamToken',
    'view-token',
    'If the request carries originStreamId, it is a view token.',
    async (bench) => {
      const originStreamId = await stream(bench);
      const answer = await bench.call('issueStreamToken', { body: { sessionId: '*', originStreamId } });
      const { streamToken } = fits(answer, issueStreamToken.response.schema);
      const reading = readEdgeToken(streamToken, bench.options, 0);
      hold(
        !reading.ok || reading.claims.originStreamId === originStreamId,
        'the token is for another stream',
      );
    },
    byControl,
  ),
  check(
    'terminateStream',
    '200',
    'A stream that is known and has not ended is ended.',
    async (bench) => void (await ended(bench)),
    byControl,
  ),
  check('terminateStream', '404.not-found', 'An unknown stream gives 404.', async (bench) =>
    answers(
      await bench.call('terminateStream', { body: { streamId: 'no#such', reason: '' } }),
      404,
      'not-found',
    ),
  ),
  check(
    'terminateStream',
    '410.already-ended',
    'A stream that has ended already gives 410.',
    async (bench) => {
      const streamId = await ended(bench);
      answers(await bench.call('terminateStream', { body: { streamId, reason: '' } }), 410, 'already-ended');
    },
    byControl,
  ),
  check(
    'deleteStreamArchive',
    '200',
    'The on-demand stream that has ended is deleted.',
    async (bench) => {
      const streamId = await ended(bench, ['on-demand']);
      const answer = await bench.call('deleteStreamArchive', { body: { streamId, reason: 'test' } });
      fits(answer, deleteStreamArchive.response.schema);
    },
    byControl,
  ),
  check('deleteStreamArchive', '404.not-found', 'An unknown stream gives 404.', async (bench) =>
    answers(
      await bench.call('deleteStreamArchive', { body: { streamId: 'no#such', reason: '' } }),
      404,
      'not-found',
    ),
  ),
  check(
    'deleteStreamArchive',
    '409.not-ended',
    'A stream that has not ended gives 409.',
    async (bench) => {
      const streamId = await stream(bench, ['on-demand']);
      answers(await bench.call('deleteStreamArchive', { body: { streamId, reason: '' } }), 409, 'not-ended');
    },
    byControl,
  ),
  check(
    'deleteStreamArchive',
    '410.already-deleted',
    'Deleting it again gives 410.',
    async (bench) => {
      const streamId = await ended(bench, ['on-demand']);
      await bench.call('deleteStreamArchive', { body: { streamId, reason: '' } });
      answers(
        await bench.call('deleteStreamArchive', { body: { streamId, reason: '' } }),
        410,
        'already-deleted',
      );
    },
    byControl,
  ),
  check(
    'listPlaylists',
    '200',
    'Response 200: status, playlists, streamInfo.',
    async (bench) => {
      const streamId = await stream(bench, ['hd', 'streaming']);
      await bench.control('POST', 'playlists', { streamId }, listPlaylists.params);
      const answer = await bench.call('listPlaylists', { body: { streamId } });
      const { playlists, streamInfo } = fits(answer, listPlaylists.response.schema);
      hold(streamInfo.endTime === null, 'endTime is not null while the stream runs');
      for (const type of ['HLS', 'DASH'] as const) {
        const ofType = playlists.filter((playlist) => playlist.type === type);
        hold(
          ofType.filter((playlist) => playlist.isPrimary).length === 1,
          `there is not one primary ${type} playlist`,
        );
        hold(
          ofType.length === 6,
          `an hd stream has 5 quality levels and a primary playlist, not ${ofType.length}`,
        );
        const extension = type === 'HLS' ? '.m3u8' : '.mpd';
        hold(
          ofType.every(({ uri }) => uri.endsWith(extension)),
          `a ${type} uri does not end in ${extension}`,
        );
      }
    },
    byControl,
  ),
  check(
    'getPlaylist',
    '200',
    'The playlists that are listed can be fetched.',
    async (bench) => {
      const streamId = await stream(bench, ['streaming']);
      await bench.control('POST', 'playlists', { streamId }, listPlaylists.params);
      const listed = await bench.call('listPlaylists', { body: { streamId } });
      for (const { uri, type } of fits(listed, listPlaylists.response.schema).playlists) {
        const answer = await bench.get(uri);
        answers(answer, 200);
        hold(answer.text.startsWith(type === 'HLS' ? '#EXTM3U' : '<?xml'), `${uri} is no ${type} playlist`);
      }
    },
    byControl,
  ),
  check(
    'getPlaylist',
    'token-auth',
    'A stream protected with token-auth requires streamToken.',
    async (bench) => {
      const streamId = await stream(bench, ['streaming', 'token-auth']);
      await bench.control('POST', 'playlists', { streamId }, listPlaylists.params);
      const params = { streamId, manifest: 'live.m3u8' };
      answers(await bench.call('getPlaylist', { params }), 401);
      const tokenFor = async (originStreamId: string): Promise<string> => {
        const answer = await bench.call('issueStreamToken', { body: { sessionId: '*', originStreamId } });
        return fits(answer, issueStreamToken.response.schema).streamToken;
      };
      const own = await tokenFor(streamId);
      answers(await bench.call('getPlaylist', { params, query: { streamToken: own } }), 200);
      const other = await tokenFor(await stream(bench));
      answers(await bench.call('getPlaylist', { params, query: { streamToken: other } }), 401);
    },
    byControl,
  ),
];
