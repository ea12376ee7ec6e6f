import { withId } from '../domain/event-id.ts';
import type {
  NotificationUnrecognized,
  StreamEnded,
  StreamLive,
  StreamOnDemand,
  StreamStarted,
} from '../domain/event.ts';
import { readNotification } from '../platform/index.ts';
import { ownAction, type KnowsAction } from './own-action.ts';
import { placeOfTags } from './place-of-tags.ts';

export type NotificationEvent =
  | StreamStarted
  | StreamEnded
  | StreamLive
  | StreamOnDemand
  | NotificationUnrecognized;

/**
 * The event of a verified notification. A kind or shape that we do not know becomes `notification.unrecognized` and is
 * kept whole: the platform would not send it again. `text` is the body as it came, `json` what was parsed of it.
 */
export function decodeNotification(of: {
  readonly text: string;
  readonly json: unknown;
  readonly now: number;
  readonly knows?: KnowsAction | undefined;
}): NotificationEvent {
  const reading = readNotification(of.json);
  const seen = { seenAt: of.now, source: 'webhook' } as const;
  if (reading.kind !== 'known') {
    return withId<NotificationUnrecognized>({
      type: 'notification.unrecognized',
      at: of.now,
      ...seen,
      what: reading.kind === 'misfit' ? whatOf(of.json) : reading.what,
      reason:
        reading.kind === 'misfit'
          ? `not what the interface promises: ${reading.faults.join('; ')}`
          : `unknown kind: ${reading.entity} ${reading.what}`,
      body: of.text,
    });
  }
  const { data, what, sessionId, timestamp } = reading.notification;
  const tags = 'tags' in data ? (data.tags ?? []) : [];
  const action = ownAction(tags, data.streamId, of.knows);
  const place = placeOfTags(tags);
  const base = {
    at: Date.parse(timestamp),
    ...seen,
    ...(place && { place }),
    streamId: data.streamId,
    ...(sessionId === '' ? {} : { sessionId }),
    tags,
    ...(action === undefined ? {} : { own: true, causedBy: action }),
  };
  switch (what) {
    case 'started':
      return withId<StreamStarted>({ type: 'stream.started', ...base });
    case 'ended':
      return withId<StreamEnded>({
        type: 'stream.ended',
        ...base,
        durationMs: data.duration ?? null,
        reason: data.reason ?? null,
      });
    case 'live':
      return withId<StreamLive>({ type: 'stream.live', ...base, uri: data.uri, isPrimary: data.isPrimary });
    case 'on-demand':
      return withId<StreamOnDemand>({
        type: 'stream.onDemand',
        ...base,
        uri: data.uri,
        isPrimary: data.isPrimary,
      });
    default:
      return what satisfies never;
  }
}

const whatOf = (json: unknown): string =>
  typeof json === 'object' && json !== null && 'what' in json && typeof json.what === 'string'
    ? json.what
    : '';
