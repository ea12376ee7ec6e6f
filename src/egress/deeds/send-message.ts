import type { Action } from '../../domain/action.ts';
import type { Clock } from '../../engine/ports.ts';
import { cutToBytes, MESSAGE_LIMITS } from '../../platform/index.ts';
import type { ActionHistory } from '../action-history.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { done } from '../fate.ts';
import { botTag, opTag, tagsWithin } from '../op-tag.ts';
import type { PlatformPort } from '../platform-port.ts';
import { searchBack } from '../search-back.ts';
import { noChat } from './no-chat.ts';

/** Plain text by the bot's speaker. Unsafe to repeat; known again by its `op:` tag. */
export function sendMessage(
  action: Action<'message.send'>,
  {
    client,
    clock,
    history,
  }: { readonly client: PlatformPort; readonly clock: Clock; readonly history: ActionHistory },
): Deed {
  const { id: roomId } = action.place;
  const op = opTag(action.id);
  const text = cutToBytes(action.text, MESSAGE_LIMITS.message);
  return {
    repeatable: false,
    about: 'chat',
    freshForMs: FRESH_FOR_MS.words,
    asksPlatform: true,
    async call(ask) {
      if (action.place.kind !== 'room') return noChat(action.place);
      const { message } = await client.sendMessage(
        {
          roomId,
          message: {
            from: {
              screenName: cutToBytes(action.as.screenName, MESSAGE_LIMITS.screenName),
              role: action.as.role,
              lastUpdate: clock.now(),
            },
            mimeType: 'text/plain',
            message: text,
            tags: tagsWithin(MESSAGE_LIMITS.tags, [op, botTag(action.bot), ...action.tags]),
          },
        },
        asked(ask),
      );
      return sent(message.messageId, text.length < action.text.length ? 'sent, cut to the limit' : 'sent');
    },
    async readBack(ask) {
      let messageId = '';
      const result = await searchBack(client, ask, {
        roomId,
        known: await history.messageBefore(action),
        seen(message) {
          if (message.tags.includes(op)) ({ messageId } = message);
          return messageId !== '';
        },
      });
      if (result === 'found') return sent(messageId, 'sent, found by reading back');
      return result === 'absent'
        ? { kind: 'absent' }
        : { kind: 'unclear', reason: 'The room has more messages than can be searched.' };
    },
  };
}

const sent = (messageId: string, detail: string) => done(detail, { messageId });
