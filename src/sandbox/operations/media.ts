import type { Reply } from '../http/reply.ts';
import { ok, refuse } from '../http/reply.ts';
import { createComposition, deleteComposition, setInputs } from '../world/compositions.ts';
import { createTranscoding, deleteTranscoding, sameTranscoding } from '../world/transcodings.ts';
import type { Handlers } from './handler.ts';
import type { LiveStream, World } from '../world/world.ts';

/** interface.md, endpoints 29 to 33. */
export const mediaHandlers: Handlers<
  'createComposition' | 'updateComposition' | 'deleteComposition' | 'createTranscoding' | 'deleteTranscoding'
> = {
  createComposition({ world }, { body }) {
    const { streams, capabilities = [], tags = [] } = body.composition;
    return withInputs(world, streams, (inputs) => {
      const composition = createComposition(world, {
        inputs,
        capabilities,
        tags: [...new Set([...tags, ...(body.tags ?? [])])],
      });
      return ok({ compositionId: composition.stream.streamId }, 'composition-notified', 'composition-tags');
    });
  },

  updateComposition({ world }, { params, body }) {
    const composition = world.compositions.get(params.compositionId);
    if (composition === undefined || composition.stream.endedAt !== undefined)
      return refuse(404, 'not-found');
    return withInputs(world, body.streams, (inputs) => {
      setInputs(composition, inputs);
      return ok();
    });
  },

  deleteComposition({ world }, { params, body }) {
    const composition = world.compositions.get(params.compositionId);
    if (composition === undefined) return refuse(404, 'not-found');
    if (composition.deleted) return refuse(409, 'already-deleted', {}, 'composition-repeat');
    if (composition.stream.endedAt !== undefined) return refuse(410, 'already-ended', {}, 'composition-ends');
    deleteComposition(world, composition, body.reason ?? '');
    return ok();
  },

  createTranscoding({ world }, { body: { transcoding } }) {
    const origin = world.streams.get(transcoding.originStreamId);
    if (origin === undefined) return refuse(404, 'not-found', {}, 'transcoding-origin');
    if (origin.endedAt !== undefined) return refuse(410, 'origin-ended', {}, 'transcoding-origin');
    const draft = {
      origin,
      type: transcoding.type,
      quality: transcoding.quality ?? 'sd',
      onDemand: transcoding.onDemand ?? false,
      tags: transcoding.tags ?? [],
      ...(transcoding.audioOnly === true
        ? { only: 'audio' as const }
        : transcoding.videoOnly === true
          ? { only: 'video' as const }
          : {}),
    };
    const same = sameTranscoding(draft);
    return same === undefined
      ? ok({ transcodingId: createTranscoding(world, draft).transcodingId })
      : refuse(409, 'already-exists', { transcodingId: same.transcodingId }, 'transcoding-same');
  },

  deleteTranscoding({ world }, { params }) {
    const transcoding = world.transcodings.get(params.transcodingId);
    if (transcoding === undefined) return refuse(404, 'not-found', {}, 'transcoding-unknown');
    if (transcoding.deleted) return refuse(409, 'already-deleted');
    deleteTranscoding(transcoding);
    return ok();
  },
};

/** All inputs must be live streams. */
function withInputs(
  world: World,
  streams: readonly { readonly streamId: string }[],
  go: (inputs: readonly LiveStream[]) => Reply,
): Reply {
  if (streams.length === 0)
    return refuse(
      400,
      'bad-request',
      { hint: 'A composition needs at least one stream.' },
      'composition-inputs',
    );
  const inputs: LiveStream[] = [];
  for (const { streamId } of streams) {
    const stream = world.streams.get(streamId);
    if (stream === undefined || stream.endedAt !== undefined)
      return refuse(404, 'not-found', { hint: `No live stream ${streamId}.` }, 'composition-inputs');
    inputs.push(stream);
  }
  return go(inputs);
}
