import type { Action } from '../domain/action.ts';
import { formatDuration } from '../domain/duration.ts';
import { plain } from './paint.ts';
import type { Names } from './names.ts';

/** Longer than any line that people read. */
const MOST_CHARACTERS = 400;

/** What an action does, in plain words on one line. */
export const tellAction = (action: Action, names: Names): string =>
  plain(inWords(action, names), MOST_CHARACTERS);

function inWords(action: Action, names: Names): string {
  switch (action.type) {
    case 'message.send':
      return `says “${plain(action.text)}”`;
    case 'message.hide':
      return action.messageIds.length === 1
        ? 'hides the message'
        : `hides ${action.messageIds.length} messages`;
    case 'stream.terminate':
      return `ends ${names.stream(action.streamId)} (${plain(action.reason) || 'no reason'})`;
    case 'member.censor':
      return `censors ${plain(action.screenName)}${action.watchMs > 0 ? ` and watches for ${formatDuration(action.watchMs)}` : ''}`;
    case 'member.mute':
      return `mutes ${plain(action.screenName)} for ${formatDuration(action.forMs)}`;
    case 'member.ban':
      return `bans ${plain(action.screenName)} for ${formatDuration(action.forMs)}`;
    case 'member.strike':
      return `gives ${plain(action.screenName)} ${action.points === 1 ? 'a strike' : `${action.points} strikes`}: ${plain(action.reason)}`;
    case 'room.purge':
      return 'purges the chat';
    case 'notify.send':
      return `tells ${action.target}: ${plain(action.text)}`;
    case 'log.write':
      return `notes: ${plain(action.text)}`;
    case 'transcoding.start':
      return `transcodes ${names.stream(action.spec.streamId)} to ${action.spec.type} ${action.spec.quality}`;
    case 'transcoding.stop':
      return 'stops the transcoding';
    case 'composition.start':
      return `composes a picture in picture of ${people(action.spec.inputs, names)}`;
    case 'composition.update':
      return `updates the picture in picture to ${people(action.spec.inputs, names)}`;
    case 'composition.stop':
      return 'ends the picture in picture';
    default:
      return action satisfies never;
  }
}

const people = (inputs: readonly { readonly streamId: string }[], names: Names): string =>
  inputs.map(({ streamId }) => names.publisher(streamId)).join(' + ');

/** `house/slurs`; what the engine does by itself for a bot is named after the bot already. */
export const ruleName = ({ bot, rule }: { readonly bot: string; readonly rule: string }): string =>
  rule.startsWith(`${bot}/`) ? rule : `${bot}/${rule}`;
