import type { Action, CompositionSpec } from '../../domain/action.ts';
import type { ActionHistory } from '../action-history.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { endedBefore } from '../ended-before.ts';
import { done } from '../fate.ts';
import { streamTags } from '../op-tag.ts';
import type { PlatformPort } from '../platform-port.ts';

/** Unsafe to repeat, and the platform lists no compositions: it is known by the `op:` tag of its `started`. */
export const startComposition = (
  action: Action<'composition.start'>,
  { client, history }: { readonly client: PlatformPort; readonly history: ActionHistory },
): Deed => ({
  repeatable: false,
  about: `resource:${action.resource}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: true,
  async call(ask) {
    const { compositionId } = await client.createComposition(
      {
        composition: {
          type: 'PictureInPicture',
          streams: streamsOf(action.spec),
          capabilities: [...action.spec.capabilities],
          tags: streamTags(action, action.spec.tags),
        },
      },
      asked(ask),
    );
    return done('composition started', { compositionId });
  },
  foundBy: 'notification',
  async readBack() {
    const compositionId = await history.streamOf(action);
    return compositionId === undefined
      ? { kind: 'absent' }
      : done('composition started, known by its notification', { compositionId });
  },
});

/** A composition that is gone fails the update, so that its keeper starts another. */
export const updateComposition = (action: Action<'composition.update'>, client: PlatformPort): Deed => ({
  repeatable: true,
  about: `resource:${action.resource}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: true,
  async call(ask) {
    const { compositionId } = action;
    await client.updateComposition({ compositionId, streams: streamsOf(action.spec) }, asked(ask));
    return done('composition updated', { compositionId });
  },
});

/** Ends a composition; one that is gone is what was wanted. */
export const stopComposition = (action: Action<'composition.stop'>, client: PlatformPort): Deed => ({
  repeatable: true,
  about: `resource:${action.resource}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: true,
  call: (ask) =>
    endedBefore('composition', async () => {
      const { compositionId, reason } = action;
      await client.deleteComposition({ compositionId, reason }, asked(ask));
      return done('composition stopped');
    }),
});

const streamsOf = (spec: CompositionSpec) =>
  spec.inputs.map(({ streamId, offset, width, height }) => ({
    streamId,
    ...(offset && { offset }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  }));
