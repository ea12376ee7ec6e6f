import { z } from 'zod';
import { durationOption } from '../duration-option.ts';
import { reasonOption } from '../reason-option.ts';
import type { ActionWord } from '../word.ts';

const censorOptions = z.strictObject({
  reason: reasonOption.default('censored'),
  watch: durationOption().optional(),
});

export const censor: ActionWord<z.infer<typeof censorOptions>> = {
  name: 'censor',
  summary:
    'Ends every live stream of the member; `watch` repeats it for that time whenever the member publishes again. On a stream whose publisher nobody knows it ends that stream.',
  example: 'then: [{censor: {reason: censored, watch: 10m}}]',
  options: censorOptions,
  bare: {},
  needs: ['member'],
  does: ['member.censor', 'stream.terminate'],
  compile:
    ({ reason, watch }) =>
    ({ moment, because }) => {
      const { event } = moment;
      const subject = moment.subject();
      if (subject === undefined)
        return event.type === 'stream.started' || event.type === 'stream.live'
          ? [
              {
                type: 'stream.terminate',
                streamId: event.streamId,
                reason,
                ...(event.place && { place: event.place }),
                because,
              },
            ]
          : [];
      if (event.place === undefined) return [];
      const { key: member, screenName } = subject;
      return [
        {
          type: 'member.censor',
          place: event.place,
          member,
          screenName,
          reason,
          watchMs: watch ?? 0,
          because,
        },
      ];
    },
};

const terminateOptions = z.strictObject({ reason: reasonOption.default('terminated') });

export const terminate: ActionWord<z.infer<typeof terminateOptions>> = {
  name: 'terminate',
  summary: "Ends the event's stream.",
  example: 'then: [{terminate: {reason: off-topic}}]',
  options: terminateOptions,
  bare: {},
  needs: ['live'],
  does: ['stream.terminate'],
  compile:
    ({ reason }) =>
    ({ moment: { event }, because }) =>
      'streamId' in event
        ? [
            {
              type: 'stream.terminate',
              streamId: event.streamId,
              reason,
              ...(event.place && { place: event.place }),
              because,
            },
          ]
        : [],
};
