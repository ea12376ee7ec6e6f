import type { ActionDraft } from '../domain/action.ts';
import { placeKey } from '../domain/place.ts';

/** What an action is done to: equal (action, target) pairs of one event are one action. */
export function targetOf(draft: ActionDraft): string {
  switch (draft.type) {
    case 'message.send':
      return `${placeKey(draft.place)} ${draft.text}`;
    case 'message.hide':
      return draft.messageIds.join(' ');
    case 'stream.terminate':
      return draft.streamId;
    case 'member.censor':
    case 'member.mute':
    case 'member.ban':
      return draft.member;
    case 'member.strike':
      return `${draft.ladder} ${draft.member}`;
    case 'room.purge':
      return placeKey(draft.place);
    case 'notify.send':
      return `${draft.target} ${draft.text}`;
    case 'log.write':
      return draft.text;
    case 'transcoding.start':
    case 'transcoding.stop':
    case 'composition.start':
    case 'composition.update':
    case 'composition.stop':
      return draft.resource;
    default:
      return draft satisfies never;
  }
}

/** The greater one wins among equal targets: longer, or more points. */
export function strengthOf(draft: ActionDraft): number {
  if (draft.type === 'member.mute' || draft.type === 'member.ban') return draft.forMs;
  if (draft.type === 'member.strike') return draft.points;
  return draft.type === 'member.censor' ? draft.watchMs : 0;
}
