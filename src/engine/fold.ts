import type { UsherEvent } from '../domain/event.ts';
import { UNCHANGED, type Folded } from './folded.ts';
import { foldMember } from './fold-member.ts';
import { foldPlace } from './fold-place.ts';
import { foldSettled } from './fold-settled.ts';
import { foldOwnStream, foldStreamEnded, foldStreamStarted } from './fold-stream.ts';
import type { LaneState } from './lane-state.ts';

/** Takes one event into the lane's knowledge. The same events in the same order give the same records. */
export function fold(state: LaneState, event: UsherEvent): Folded {
  switch (event.type) {
    case 'message.posted':
      state.messages.add(event);
      return UNCHANGED;
    case 'member.joined':
    case 'member.left':
    case 'member.changed':
    case 'track.changed':
      return foldMember(state, event);
    case 'stream.started':
      return event.own ? foldOwnStream(state, event) : foldStreamStarted(state, event);
    case 'stream.ended':
      return foldStreamEnded(state, event);
    case 'room.opened':
    case 'channel.opened':
    case 'room.closed':
    case 'channel.closed':
      return foldPlace(state, event);
    case 'action.settled':
      return foldSettled(state, event);
    case 'schedule.fired':
      state.fired.set(`${event.bot}/${event.rule}`, { dueAt: event.dueAt });
      return UNCHANGED;
    case 'stream.live':
    case 'stream.onDemand':
    case 'publishers.changed':
    case 'clock.ticked':
    case 'source.degraded':
    case 'source.recovered':
    case 'place.gap':
    case 'rule.failed':
    case 'rule.quarantined':
    case 'notification.unrecognized':
      return UNCHANGED;
    default:
      return event satisfies never;
  }
}
