import type { UsherEvent } from '../domain/event.ts';
import type { Names } from './names.ts';
import { ruleName } from './tell-action.ts';
import { plain, type Colour } from './paint.ts';

export interface Told {
  readonly colour: Colour;
  readonly text: string;
}

/** Longer than any line that people read. */
const MOST_CHARACTERS = 400;

/** What happened, in plain words on one line; undefined for what only the machine cares about. */
export function tellEvent(event: UsherEvent, names: Names): Told | undefined {
  const told = inWords(event, names);
  return told && { ...told, text: plain(told.text, MOST_CHARACTERS) };
}

function inWords(event: UsherEvent, names: Names): Told | undefined {
  switch (event.type) {
    case 'message.posted':
      return {
        colour: event.own ? 'gray' : 'cyan',
        text: `${plain(event.author.screenName, 40)}: ${plain(event.text)}`,
      };
    case 'member.joined':
      return { colour: 'gray', text: `${plain(event.member.screenName, 40)} joins as ${event.member.role}` };
    case 'member.left':
      return { colour: 'gray', text: `${plain(event.member.screenName, 40)} leaves` };
    case 'member.changed':
      return told('gray', changed(event.changes, plain(event.member.screenName, 40)));
    case 'track.changed':
      return {
        colour: 'gray',
        text: `${plain(event.member.screenName, 40)} ${[
          event.audio && `audio ${event.audio.to === 'TrackEnabled' ? 'on' : 'off'}`,
          event.video && `video ${event.video.to === 'TrackEnabled' ? 'on' : 'off'}`,
        ]
          .filter(Boolean)
          .join(', ')}`,
      };
    case 'stream.started':
      return event.own
        ? { colour: 'gray', text: 'the composed stream is on air' }
        : {
            colour: 'green',
            text: `${names.stream(event.streamId)} starts${event.late ? ' (told late: it has ended)' : ''}`,
          };
    case 'stream.ended':
      return event.own
        ? { colour: 'gray', text: 'the composed stream ends' }
        : {
            colour: 'yellow',
            text: `${names.stream(event.streamId)} ends${event.reason ? ` (${plain(event.reason, 40)})` : ''}`,
          };
    case 'stream.live':
      return event.isPrimary
        ? { colour: 'green', text: `${names.stream(event.streamId)} has a live playlist` }
        : undefined;
    case 'stream.onDemand':
      return event.isPrimary
        ? { colour: 'green', text: `${names.stream(event.streamId)} is there on demand` }
        : undefined;
    case 'room.opened':
      return { colour: 'blue', text: `room opens (${event.facts.type ?? 'room'})` };
    case 'channel.opened':
      return { colour: 'blue', text: 'channel opens' };
    case 'room.closed':
    case 'channel.closed':
      return { colour: 'blue', text: 'closes' };
    case 'source.degraded':
      return { colour: 'red', text: `${event.name} is degraded: ${plain(event.reason)}` };
    case 'source.recovered':
      return { colour: 'green', text: `${event.name} is well again` };
    case 'place.gap':
      return { colour: 'red', text: `a gap: ${plain(event.reason)}` };
    case 'rule.failed':
      return { colour: 'red', text: `rule ${event.bot}/${event.rule} failed: ${plain(event.error)}` };
    case 'rule.quarantined':
      return {
        colour: 'red',
        text: `rule ${event.bot}/${event.rule} is quarantined: ${plain(event.reason)}`,
      };
    case 'notification.unrecognized':
      return {
        colour: 'yellow',
        text: `a notification that nobody knows (${plain(event.what, 40)}): ${plain(event.reason)}`,
      };
    case 'action.settled':
      return {
        colour: event.outcome === 'performed' ? 'magenta' : event.outcome === 'shadowed' ? 'gray' : 'red',
        text: `${ruleName(event)}: ${event.actionType} ${event.outcome}${event.detail ? ` (${plain(event.detail)})` : ''}`,
      };
    case 'schedule.fired':
      return { colour: 'gray', text: `${event.bot}/${event.rule} comes due` };
    case 'publishers.changed':
    case 'clock.ticked':
      return undefined;
    default:
      return event satisfies never;
  }
}

const told = (colour: Colour, text: string | undefined): Told | undefined =>
  text === undefined ? undefined : { colour, text };

function changed(
  changes: Extract<UsherEvent, { type: 'member.changed' }>['changes'],
  who: string,
): string | undefined {
  if (changes.role) return `${who} is now ${changes.role.to}`;
  if (changes.screenName) return `${plain(changes.screenName.from, 40)} is now called ${who}`;
  if (changes.state)
    return changes.state.to === 'HandRaised' ? `${who} raises a hand` : `${who} is ${changes.state.to}`;
  return undefined;
}
