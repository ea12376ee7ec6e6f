import type { EventId, UsherEvent } from './event.ts';
import { placeKey } from './place.ts';

type WithoutId = UsherEvent extends infer E ? (E extends UsherEvent ? Omit<E, 'id'> : never) : never;

/**
 * The id of an event from what it is about: the same whether a notification or a poll found it, and the same again
 * after a restart. Two different facts never share one; that is what makes the journal's unique id the dedupe.
 */
export function eventId(event: WithoutId): EventId {
  // Concatenated, not joined: each event passes here.
  const about = (...parts: readonly (string | number)[]): EventId => {
    let id: string = event.type;
    for (const part of parts) id += ` ${part}`;
    return id;
  };
  switch (event.type) {
    case 'message.posted':
      return about(placeKey(event.place), event.messageId);
    case 'member.joined':
    case 'member.left':
      return about(placeKey(event.place), event.member.sessionId, event.member.lastUpdate);
    case 'member.changed':
      return about(
        placeKey(event.place),
        event.member.sessionId,
        event.member.lastUpdate,
        JSON.stringify(event.changes),
      );
    case 'track.changed':
      return about(event.streamId, event.member.lastUpdate, event.audio?.to ?? '', event.video?.to ?? '');
    case 'stream.started':
    case 'stream.ended':
      return about(event.streamId);
    case 'stream.live':
    case 'stream.onDemand':
      return about(event.streamId, event.uri);
    case 'publishers.changed':
      return about(event.cause);
    case 'room.opened':
    case 'room.closed':
    case 'channel.opened':
    case 'channel.closed':
      return about(event.place.id);
    case 'schedule.fired':
      return about(event.bot, event.rule, placeKey(event.place), event.dueAt);
    case 'clock.ticked':
      return about(event.lane, event.dueAt);
    case 'action.settled':
      return about(event.action);
    case 'source.degraded':
    case 'source.recovered':
      return about(event.name, event.at);
    case 'place.gap':
      return about(placeKey(event.place), event.at);
    case 'rule.failed':
      return about(event.bot, event.rule, event.event);
    case 'rule.quarantined':
      return about(event.bot, event.rule, event.at);
    case 'notification.unrecognized':
      return about(event.body);
    default:
      return event satisfies never;
  }
}

/** Completes a new event with its id, in place: a copy of each would cost more than the id. */
export const withId = <E extends UsherEvent>(event: Omit<E, 'id'>): E =>
  // Omit on a generic loses the union; the id is computed from the very fields that E adds.
  Object.assign(event, { id: eventId(event as WithoutId) }) as unknown as E;
