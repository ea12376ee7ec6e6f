import * as z from 'zod';
import type { ActionDraft, CompositionSpec, TranscodingSpec } from '../domain/action.ts';
import type { MemberKey } from '../domain/member.ts';
import type { DesiredResource } from '../plugin/definitions.ts';

/** Longer ones no platform takes, and one of them would swell every copy of the action. */
const MOST_CHARACTERS = 65_536;
const MOST_ITEMS = 10_000;

const text = z.string().max(MOST_CHARACTERS);
const texts = z.array(text).max(MOST_ITEMS);
const time = z.number().min(0);
const because = texts;
const place = z.object({ kind: z.enum(['room', 'channel']), id: text.min(1) });
const somewhere = z.exactOptional(place);
const member = z.custom<MemberKey>(
  (value) => typeof value === 'string' && /^(session|name):/.test(value) && value.length < MOST_CHARACTERS,
  'expected the key of a member, as `memberKey` makes it',
);

const transcodingSpec = z.object({
  streamId: text,
  type: z.enum(['DASH', 'HLS']),
  quality: z.enum(['uld', 'vld', 'ld', 'sd', 'hd', 'fhd', 'xhd']),
  onDemand: z.boolean(),
  only: z.exactOptional(z.enum(['audio', 'video'])),
  capabilities: texts,
  tags: texts,
}) satisfies z.ZodType<TranscodingSpec>;
const offset = z.object({
  anchor: z.enum(['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight', 'Center']),
  x: z.number(),
  y: z.number(),
});
const compositionSpec = z.object({
  inputs: z
    .array(
      z.object({
        streamId: text,
        offset: z.exactOptional(offset),
        width: z.exactOptional(z.number()),
        height: z.exactOptional(z.number()),
      }),
    )
    .max(MOST_ITEMS),
  capabilities: texts,
  tags: texts,
}) satisfies z.ZodType<CompositionSpec>;

const type = <T extends ActionDraft['type']>(name: T) => z.literal(name);
const about = { because, place, member, screenName: text };

/** An action as the author of a plugin gives it: whatever it was made of, what comes out is plain data. */
export const draftSchema = z.discriminatedUnion('type', [
  z.object({ type: type('message.send'), because, place, text, tags: texts }),
  z.object({ type: type('message.hide'), because, place, messageIds: texts }),
  z.object({ type: type('stream.terminate'), because, place: somewhere, streamId: text, reason: text }),
  z.object({ type: type('member.censor'), ...about, reason: text, watchMs: time }),
  z.object({ type: type('member.mute'), ...about, forMs: time }),
  z.object({ type: type('member.ban'), ...about, forMs: time, reason: text }),
  z.object({ type: type('member.strike'), ...about, ladder: text, points: z.number(), reason: text }),
  z.object({ type: type('room.purge'), because, place }),
  z.object({ type: type('notify.send'), because, place: somewhere, target: text, text }),
  z.object({ type: type('log.write'), because, place: somewhere, text }),
  z.object({
    type: type('transcoding.start'),
    because,
    place: somewhere,
    resource: text,
    spec: transcodingSpec,
  }),
  z.object({
    type: type('transcoding.stop'),
    because,
    place: somewhere,
    resource: text,
    transcodingId: text,
    reason: text,
  }),
  z.object({ type: type('composition.start'), because, place, resource: text, spec: compositionSpec }),
  z.object({
    type: type('composition.update'),
    because,
    place,
    resource: text,
    compositionId: text,
    spec: compositionSpec,
  }),
  z.object({
    type: type('composition.stop'),
    because,
    place,
    resource: text,
    compositionId: text,
    reason: text,
  }),
]) satisfies z.ZodType<ActionDraft>;

/** What a keeper of a plugin wants, as plain data. */
export const resourceSchema = z.discriminatedUnion('kind', [
  z.object({ key: text.min(1), kind: z.literal('transcoding'), spec: transcodingSpec }),
  z.object({ key: text.min(1), kind: z.literal('composition'), spec: compositionSpec }),
]) satisfies z.ZodType<DesiredResource>;
