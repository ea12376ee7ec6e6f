import type { Action } from '../../domain/action.ts';
import type { Clock } from '../../engine/ports.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { done } from '../fate.ts';
import type { PlatformPort } from '../platform-port.ts';
import { searchBack } from '../search-back.ts';
import { noChat } from './no-chat.ts';

/**
 * Deletes all messages of a room. About the chat: no message passes it, nor it a message. Unsafe to repeat, for a second
 * one deletes what people said after the first; known to have happened when nothing from before the attempt is left.
 */
export function purgeRoom(
  action: Action<'room.purge'>,
  { client, clock }: { readonly client: PlatformPort; readonly clock: Clock },
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
    async readBack(ask, sinceMs) {
      const markedAt = clock.now() - sinceMs;
      let purgedBefore: number | undefined;
      const result = await searchBack(client, ask, {
        roomId,
        sinceMs,
        seen({ timestamp, deletedTimestamp }) {
          // The platform's clock is at its newest message at least, so one that runs ahead of ours shows here.
          purgedBefore ??= Math.max(markedAt, timestamp - (clock.now() - markedAt));
          return deletedTimestamp === 0 && timestamp < purgedBefore;
        },
      });
      if (result === 'found') return { kind: 'absent' };
      return result === 'absent'
        ? done('purged, found by reading back')
        : { kind: 'unclear', reason: 'The room has more new messages than can be searched.' };
    },
  };
}
