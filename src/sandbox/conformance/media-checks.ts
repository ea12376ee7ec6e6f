import { operations } from '../../platform/index.ts';
import type { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { answers, fits } from './judge.ts';

const { createComposition, updateComposition, deleteComposition, createTranscoding, deleteTranscoding } =
  operations;
const byControl = { control: true } as const;

async function streams(bench: Bench): Promise<{ readonly streamId: string }[]> {
  const { roomId } = await bench.room();
  return [await bench.publish({ roomId }), await bench.publish({ roomId })].map(({ streamId }) => ({
    streamId,
  }));
}

const picture = (inputs: readonly object[]): object => ({
  composition: { type: 'PictureInPicture', streams: inputs, capabilities: ['hd'], tags: ['conformance'] },
});

async function composition(bench: Bench): Promise<string> {
  const answer = await bench.call('createComposition', { body: picture(await streams(bench)) });
  const { compositionId } = fits(answer, createComposition.response.schema);
  bench.later(() => bench.call('deleteComposition', { params: { compositionId } }));
  return compositionId;
}

async function transcoding(bench: Bench): Promise<{ transcodingId: string; body: object }> {
  const [origin] = await streams(bench);
  const body = { transcoding: { type: 'HLS', originStreamId: origin?.streamId, quality: 'hd' } };
  const { transcodingId } = fits(
    await bench.call('createTranscoding', { body }),
    createTranscoding.response.schema,
  );
  bench.later(() => bench.call('deleteTranscoding', { params: { transcodingId } }));
  return { transcodingId, body };
}

/** interface.md, endpoints 29 to 33. */
export const mediaChecks: readonly Check[] = [
  check(
    'createComposition',
    '200',
    'Response 200: status, compositionId.',
    async (bench) => void (await composition(bench)),
    byControl,
  ),
  check(
    'createComposition',
    '400.anchor',
    'Anchors are the five that are named; another gives 400.',
    async (bench) => {
      const inputs = (await streams(bench)).map((one) => ({
        ...one,
        offset: { anchor: 'Middle', x: 0, y: 0 },
      }));
      answers(await bench.call('createComposition', { body: picture(inputs) }), 400);
    },
    byControl,
  ),
  check(
    'createComposition',
    'credentials',
    'credentials may be sent in the body in place of the header.',
    async (bench) => {
      const { applicationId, secret } = bench.options;
      const rawBody = JSON.stringify({
        ...picture(await streams(bench)),
        credentials: { applicationId, secret },
      });
      answers(await bench.call('createComposition', { rawBody }), 200);
      const wrong = JSON.stringify({
        ...picture(await streams(bench)),
        credentials: { applicationId, secret: 'no' },
      });
      answers(await bench.call('createComposition', { rawBody: wrong }), 401, 'unauthorized');
    },
    byControl,
  ),
  check(
    'updateComposition',
    '200',
    'The inputs of a composition are replaced.',
    async (bench) => {
      const compositionId = await composition(bench);
      const body = { streams: await streams(bench) };
      fits(
        await bench.call('updateComposition', { params: { compositionId }, body }),
        updateComposition.response.schema,
      );
    },
    byControl,
  ),
  check('updateComposition', '404.not-found', 'A composition that does not exist gives 404.', async (bench) =>
    answers(
      await bench.call('updateComposition', {
        params: { compositionId: 'no#such' },
        body: { streams: [{ streamId: 'a' }] },
      }),
      404,
      'not-found',
    ),
  ),
  check(
    'deleteComposition',
    '200',
    'A composition that exists is deleted.',
    async (bench) => {
      const params = { compositionId: await composition(bench) };
      fits(
        await bench.call('deleteComposition', { params, body: { reason: 'test' } }),
        deleteComposition.response.schema,
      );
    },
    byControl,
  ),
  check('deleteComposition', '404.not-found', 'An unknown composition gives 404.', async (bench) =>
    answers(
      await bench.call('deleteComposition', { params: { compositionId: 'no#such' } }),
      404,
      'not-found',
    ),
  ),
  check(
    'deleteComposition',
    '409.already-deleted',
    'Deleting it again gives 409.',
    async (bench) => {
      const params = { compositionId: await composition(bench) };
      await bench.call('deleteComposition', { params });
      answers(await bench.call('deleteComposition', { params }), 409, 'already-deleted');
    },
    byControl,
  ),
  check(
    'createTranscoding',
    '200',
    'Response 200: status, transcodingId.',
    async (bench) => void (await transcoding(bench)),
    byControl,
  ),
  check(
    'createTranscoding',
    '400.exclusive',
    'audioOnly and videoOnly are mutually exclusive.',
    async (bench) => {
      const [origin] = await streams(bench);
      const both = { type: 'HLS', originStreamId: origin?.streamId, audioOnly: true, videoOnly: true };
      answers(await bench.call('createTranscoding', { body: { transcoding: both } }), 400);
    },
    byControl,
  ),
  check(
    'createTranscoding',
    '409.already-exists',
    'The same transcoding again gives 409.',
    async (bench) => {
      const { body } = await transcoding(bench);
      answers(await bench.call('createTranscoding', { body }), 409, 'already-exists');
    },
    byControl,
  ),
  check(
    'deleteTranscoding',
    '200',
    'A transcoding that exists is deleted.',
    async (bench) => {
      const { transcodingId } = await transcoding(bench);
      fits(
        await bench.call('deleteTranscoding', { params: { transcodingId } }),
        deleteTranscoding.response.schema,
      );
    },
    byControl,
  ),
  check(
    'deleteTranscoding',
    '409.already-deleted',
    'Deleting it again gives 409.',
    async (bench) => {
      const { transcodingId } = await transcoding(bench);
      await bench.call('deleteTranscoding', { params: { transcodingId } });
      answers(await bench.call('deleteTranscoding', { params: { transcodingId } }), 409, 'already-deleted');
    },
    byControl,
  ),
];
