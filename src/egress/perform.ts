import type { Dispatcher } from 'undici';
import type { Action } from '../domain/action.ts';
import type { Clock, OperatorState } from '../engine/ports.ts';
import type { ActionHistory } from './action-history.ts';
import { FRESH_FOR_MS, type Deed, type Perform } from './deed.ts';
import { banMember } from './deeds/ban-member.ts';
import { startComposition, stopComposition, updateComposition } from './deeds/composition.ts';
import { hideMessages } from './deeds/hide-messages.ts';
import { purgeRoom } from './deeds/purge-room.ts';
import { sendMessage } from './deeds/send-message.ts';
import { sendNotice, type WebhookOf } from './deeds/send-notice.ts';
import { terminateStream } from './deeds/terminate-stream.ts';
import { startTranscoding, stopTranscoding } from './deeds/transcoding.ts';
import { failed } from './fate.ts';
import { createNoticeDispatcher } from './notice-dispatcher.ts';
import type { PlatformPort } from './platform-port.ts';

export interface PerformSettings {
  readonly client: PlatformPort;
  readonly operator: Pick<OperatorState, 'ban'>;
  readonly clock: Clock;
  readonly webhookOf: WebhookOf;
  readonly history: ActionHistory;
  /** How notices leave; to public addresses over TLS and to this machine by default. */
  readonly notices?: Dispatcher;
}

/** Action → request, for every action there is. */
export function createPerform(settings: PerformSettings): Perform {
  const { client, webhookOf, notices = createNoticeDispatcher({ allowPrivate: false }) } = settings;
  return (action) => {
    switch (action.type) {
      case 'message.send':
        return sendMessage(action, settings);
      case 'message.hide':
        return hideMessages(action, settings);
      case 'room.purge':
        return purgeRoom(action, settings);
      case 'stream.terminate':
        return terminateStream(action, client);
      case 'transcoding.start':
        return startTranscoding(action, client);
      case 'transcoding.stop':
        return stopTranscoding(action, client);
      case 'composition.start':
        return startComposition(action, settings);
      case 'composition.update':
        return updateComposition(action, client);
      case 'composition.stop':
        return stopComposition(action, client);
      case 'member.ban':
        return banMember(action, settings);
      case 'notify.send':
        return sendNotice(action, { webhookOf, notices });
      case 'member.censor':
      case 'member.mute':
      case 'member.strike':
      case 'log.write':
        return ownState(action);
      default:
        return action satisfies never;
    }
  };
}

/** Settled with the decision itself; one that comes here was not, and nothing of it happened. */
const ownState = (action: Action): Deed => ({
  repeatable: true,
  about: action.type,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: false,
  call: () =>
    Promise.resolve(
      failed(`${action.type} changes our own state with the decision; there is nothing to send.`),
    ),
});
