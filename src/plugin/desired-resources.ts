import type { CompositionSpec, Quality, TranscodingSpec } from '../domain/action.ts';
import type { DesiredResource } from './definitions.ts';

/** The wish for a transcoding of a stream, keyed by stream, type and track; what is not given is the platform's default. */
export function transcoding(
  streamId: string,
  spec: {
    readonly type: TranscodingSpec['type'];
    readonly quality?: Quality;
    readonly onDemand?: boolean;
    readonly only?: 'audio' | 'video';
    readonly capabilities?: readonly string[];
    readonly tags?: readonly string[];
  },
): DesiredResource {
  return {
    key: [streamId, spec.type, ...(spec.only === undefined ? [] : [spec.only])].join(' '),
    kind: 'transcoding',
    spec: {
      streamId,
      type: spec.type,
      quality: spec.quality ?? 'sd',
      onDemand: spec.onDemand ?? false,
      ...(spec.only !== undefined && { only: spec.only }),
      capabilities: spec.capabilities ?? [],
      tags: spec.tags ?? [],
    },
  };
}

/** The wish for one composition under a key of the keeper's own; the first input is full screen. */
export const composition = (
  key: string,
  spec: Pick<CompositionSpec, 'inputs'> & Partial<CompositionSpec>,
): DesiredResource => ({
  key,
  kind: 'composition',
  spec: { inputs: spec.inputs, capabilities: spec.capabilities ?? [], tags: spec.tags ?? [] },
});
