import type { ActionDraft, CompositionSpec, TranscodingSpec } from '../domain/action.ts';
import type { EventOf } from '../domain/event.ts';
import type { PlaceRef } from '../domain/place.ts';
import { placeOf, reasonIds, type Because } from './reasons.ts';

interface OfResource {
  /** What is owned, by a name of the rule's own; unique in the place. */
  readonly resource: string;
  readonly because: Because;
  readonly place?: PlaceRef;
}

/** Ends one live stream, of an event or by its id (then `because` is needed). */
export function terminateStream(
  stream: EventOf<'stream.started' | 'stream.live' | 'stream.onDemand' | 'track.changed'>,
  options?: { readonly reason?: string; readonly because?: Because },
): ActionDraft<'stream.terminate'>;
export function terminateStream(
  streamId: string,
  options: { readonly reason?: string; readonly because: Because; readonly place?: PlaceRef },
): ActionDraft<'stream.terminate'>;
export function terminateStream(
  stream: EventOf<'stream.started' | 'stream.live' | 'stream.onDemand' | 'track.changed'> | string,
  options: { readonly reason?: string; readonly because?: Because; readonly place?: PlaceRef } = {},
): ActionDraft<'stream.terminate'> {
  const place = options.place ?? (typeof stream === 'string' ? undefined : stream.place);
  return {
    type: 'stream.terminate',
    streamId: typeof stream === 'string' ? stream : stream.streamId,
    reason: options.reason ?? 'censored',
    because: reasonIds(options.because ?? (typeof stream === 'string' ? [] : stream)),
    ...(place && { place: { kind: place.kind, id: place.id } }),
  };
}

/** Starts a transcoding. Prefer a keeper: it also stops it, and survives lost notifications. */
export const startTranscoding = (
  options: OfResource & { readonly spec: TranscodingSpec },
): ActionDraft<'transcoding.start'> => ({
  type: 'transcoding.start',
  place: placeOf('startTranscoding', options.because, options.place),
  resource: options.resource,
  spec: options.spec,
  because: reasonIds(options.because),
});

/** Stops a transcoding of ours. */
export const stopTranscoding = (
  options: OfResource & { readonly transcodingId: string; readonly reason?: string },
): ActionDraft<'transcoding.stop'> => ({
  type: 'transcoding.stop',
  place: placeOf('stopTranscoding', options.because, options.place),
  resource: options.resource,
  transcodingId: options.transcodingId,
  reason: options.reason ?? '',
  because: reasonIds(options.because),
});

/** Starts a composition. Prefer a keeper: it also changes and stops it, and survives lost notifications. */
export const startComposition = (
  options: OfResource & { readonly spec: CompositionSpec },
): ActionDraft<'composition.start'> => ({
  type: 'composition.start',
  place: placeOf('startComposition', options.because, options.place),
  resource: options.resource,
  spec: options.spec,
  because: reasonIds(options.because),
});

/** Gives a composition of ours other inputs. */
export const updateComposition = (
  options: OfResource & { readonly compositionId: string; readonly spec: CompositionSpec },
): ActionDraft<'composition.update'> => ({
  type: 'composition.update',
  place: placeOf('updateComposition', options.because, options.place),
  resource: options.resource,
  compositionId: options.compositionId,
  spec: options.spec,
  because: reasonIds(options.because),
});

/** Ends a composition of ours. */
export const stopComposition = (
  options: OfResource & { readonly compositionId: string; readonly reason?: string },
): ActionDraft<'composition.stop'> => ({
  type: 'composition.stop',
  place: placeOf('stopComposition', options.because, options.place),
  resource: options.resource,
  compositionId: options.compositionId,
  reason: options.reason ?? '',
  because: reasonIds(options.because),
});
