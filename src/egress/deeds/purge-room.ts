import type { Action } from '../../domain/action.ts';
import type { ActionHistory } from '../action-history.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { done } from '../fate.ts';
import type { PlatformPort } from '../platform-port.ts';
import { searchBack } from '../search-back.ts';
import { noChat } from './no-chat.ts';

/**
 * Deletes all messages of a room. About the chat: no message passes it, nor it a message. Unsafe to repeat, for a second
 * one deletes what people said after the first; known to have happened when nothing is left of what was known when it
 * was decided.
 */
export function purgeRoom(
  action: Action<'room.purge'>,
  { client, history }: { readonly client: PlatformPort; readonly history: ActionHistory },
): Deed {
  const { id: roomId } = action.place;
  return {
    repeatable: false,
    about: 'chat',
    // Later than that it would delete what nobody decided about.
    freshForMs: FRESH_FOR_MS.words,
    asksPlatform: true,
    async call(ask) {
      if (action.place.kind !== 'room') return noChat(action.place);
      const { deletedCount } = await client.purgeMessages({ roomId }, asked(ask));
      return done(`${deletedCount} messages purged`, { deletedCount: String(deletedCount) });
    },
    async readBack(ask) {
      const known = await history.messageBefore(action);
      if (!known) return { kind: 'unclear', reason: 'No message from before the purge is known.' };
      const result = await searchBack(client, ask, {
        roomId,
        known,
        seen: ({ messageId, timestamp, deletedTimestamp }) =>
          deletedTimestamp === 0 && (messageId === known.messageId || timestamp <= known.at),
      });
      if (result === 'found') return { kind: 'absent' };
      return result === 'absent'
        ? done('purged, found by reading back')
        : { kind: 'unclear', reason: 'The room has more new messages than can be searched.' };
    },
  };
}
