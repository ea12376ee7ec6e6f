import { z } from 'zod';
import type { CompositionSpec } from '../../domain/action.ts';
import { compositionCapabilities } from '../composition-capabilities.ts';
import { layoutOf, layoutShape } from '../layout.ts';
import { transcodingOption, transcodingSpec } from '../transcoding-option.ts';
import type { ActionWord } from '../word.ts';

export const transcode: ActionWord<z.infer<typeof transcodingOption>> = {
  name: 'transcode',
  summary:
    "Transcodes the event's stream once. `keep: transcoding` also survives restarts and lost events: prefer it.",
  example: 'then: [{transcode: {type: HLS, quality: hd, tags: ["kind:auto-hls"]}}]',
  options: transcodingOption,
  bare: {},
  needs: ['live'],
  does: ['transcoding.start'],
  compile:
    (options, { rule }) =>
    ({ moment: { event }, because }) => {
      if (!('streamId' in event)) return [];
      const spec = transcodingSpec(options, event.streamId);
      return [
        {
          type: 'transcoding.start',
          resource: `${rule.id} ${spec.streamId} ${spec.type} ${spec.quality}`,
          spec,
          ...(event.place && { place: event.place }),
          because,
        },
      ];
    },
};

const composeOptions = z.strictObject({
  ...layoutShape,
  capabilities: compositionCapabilities,
  tags: z.array(z.string().min(1).max(512)).default([]),
});

export const compose: ActionWord<z.infer<typeof composeOptions>> = {
  name: 'compose',
  summary:
    'Composes the pictures of the publishers as they stand, or updates the composition that this rule made. `keep: composition` also survives restarts and lost events: prefer it.',
  example: 'then: [{compose: {main: [{role: Presenter}, oldest], insets: {anchor: BottomRight, stack: up}}}]',
  options: composeOptions,
  bare: {},
  needs: [],
  does: ['composition.start', 'composition.update'],
  compile: (options, { rule }) => {
    const resource = `${rule.id} compose`;
    return ({ moment, because }) => {
      const { place } = moment.event;
      const inputs = layoutOf(moment.room, options);
      if (place === undefined || inputs.length === 0) return [];
      const spec: CompositionSpec = { inputs, capabilities: options.capabilities, tags: options.tags };
      const owned = moment.room.resources.get(resource);
      if (owned === undefined) return [{ type: 'composition.start', place, resource, spec, because }];
      return owned.phase === 'running' && owned.platformId !== undefined
        ? [{ type: 'composition.update', place, resource, compositionId: owned.platformId, spec, because }]
        : [];
    };
  },
};
