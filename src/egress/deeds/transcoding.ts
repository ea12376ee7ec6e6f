import type { Action } from '../../domain/action.ts';
import { ConflictError } from '../../platform/index.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { endedBefore } from '../ended-before.ts';
import { done } from '../fate.ts';
import { streamTags } from '../op-tag.ts';
import type { PlatformPort } from '../platform-port.ts';

/** Guarded by 409: where the same transcoding runs already it is adopted, ours from a lost answer or not. */
export const startTranscoding = (action: Action<'transcoding.start'>, client: PlatformPort): Deed => ({
  repeatable: true,
  about: `resource:${action.resource}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: true,
  async call(ask) {
    const { streamId, type, quality, onDemand, only, capabilities, tags } = action.spec;
    try {
      const { transcodingId } = await client.createTranscoding(
        {
          transcoding: {
            type,
            originStreamId: streamId,
            onDemand,
            quality,
            ...(only === 'audio' && { audioOnly: true }),
            ...(only === 'video' && { videoOnly: true }),
            capabilities: [...capabilities],
            tags: streamTags(action, tags),
          },
        },
        asked(ask),
      );
      return done('transcoding started', { transcodingId });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { existing } = error;
      return done(
        'already exists, adopted',
        existing?.kind === 'transcoding' ? { transcodingId: existing.transcodingId } : {},
      );
    }
  },
});

/** Ends a transcoding; one that is gone is what was wanted. */
export const stopTranscoding = (action: Action<'transcoding.stop'>, client: PlatformPort): Deed => ({
  repeatable: true,
  about: `resource:${action.resource}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: true,
  call: (ask) =>
    endedBefore('transcoding', async () => {
      const { transcodingId, reason } = action;
      await client.deleteTranscoding({ transcodingId, reason }, asked(ask));
      return done('transcoding stopped');
    }),
});
