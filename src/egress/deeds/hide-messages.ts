import { z } from 'zod';
import type { Action } from '../../domain/action.ts';
import type { Clock } from '../../engine/ports.ts';
import { cutToBytes, MESSAGE_LIMITS } from '../../platform/index.ts';
import type { ActionHistory } from '../action-history.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { done } from '../fate.ts';
import { botTag, opTag, tagBytes } from '../op-tag.ts';
import type { PlatformPort } from '../platform-port.ts';
import { searchBack } from '../search-back.ts';
import { noChat } from './no-chat.ts';

/** What a client that honours moderation reads: the messages that it is not to show. */
export const MARKER_MIME_TYPE = 'application/vnd.usher.moderation+json';

const marker = z.object({ v: z.literal(1), hide: z.array(z.string()) });

/**
 * One marker message for as many hides of a bot in a room as fit. Each action has its `op:` tag in each message that
 * carries its ids, so a message is ours iff it has one of our tags, and the markers themselves say what they hide:
 * an action is done when all its ids are in such markers, whichever batch carried them. A second marker hides nothing
 * twice, so it is repeatable.
 */
export function hideMessages(
  first: Action<'message.hide'>,
  {
    client,
    clock,
    history,
  }: { readonly client: PlatformPort; readonly clock: Clock; readonly history: ActionHistory },
): Deed {
  const { place, bot, as } = first;
  const tags = [botTag(bot), opTag(first.id)];
  const missing = new Set(first.messageIds);
  let lastMessageId = '';
  const hidden = (detail: string) => done(detail, lastMessageId === '' ? {} : { messageId: lastMessageId });

  return {
    repeatable: true,
    about: 'marks',
    freshForMs: FRESH_FOR_MS.deed,
    asksPlatform: true,
    join(action) {
      if (action.type !== 'message.hide' || action.bot !== bot || action.place.id !== place.id) return false;
      const tag = opTag(action.id);
      const together = new Set([...missing, ...action.messageIds]);
      if (markerBytes(together) > MESSAGE_LIMITS.message) return false;
      if (tagBytes([...tags, tag]) > MESSAGE_LIMITS.tags) return false;
      tags.push(tag);
      for (const id of action.messageIds) missing.add(id);
      return true;
    },
    async call(ask) {
      if (place.kind !== 'room') return noChat(place);
      for (let request = 0; missing.size > 0; request += 1) {
        if (request > 0) await ask.token();
        const hide = firstThatFit(missing);
        const { message } = await client.sendMessage(
          {
            roomId: place.id,
            message: {
              from: {
                screenName: cutToBytes(as.screenName, MESSAGE_LIMITS.screenName),
                role: as.role,
                lastUpdate: clock.now(),
              },
              mimeType: MARKER_MIME_TYPE,
              message: markerOf(hide),
              tags,
            },
          },
          asked(ask),
        );
        lastMessageId = message.messageId;
        for (const id of hide) missing.delete(id);
      }
      return hidden('marker sent');
    },
    async readBack(ask) {
      await searchBack(client, ask, {
        roomId: place.id,
        known: await history.messageBefore(first),
        seen(message) {
          if (
            message.mimeType === MARKER_MIME_TYPE &&
            message.tags.some((tag) => tags.includes(tag) && tag !== tags[0])
          ) {
            lastMessageId = message.messageId;
            for (const id of hiddenBy(message.message)) missing.delete(id);
          }
          return missing.size === 0;
        },
      });
      return missing.size === 0 ? hidden('marker sent, found by reading back') : { kind: 'absent' };
    },
  };
}

const markerOf = (ids: Iterable<string>): string => JSON.stringify({ v: 1, hide: [...ids] });

const markerBytes = (ids: Iterable<string>): number => Buffer.byteLength(markerOf(ids));

/** At least one, so that an id beyond all limits is refused by the platform and not asked for ever. */
function firstThatFit(ids: Iterable<string>): string[] {
  const fit: string[] = [];
  for (const id of ids) {
    if (fit.length > 0 && markerBytes([...fit, id]) > MESSAGE_LIMITS.message) break;
    fit.push(id);
  }
  return fit;
}

function hiddenBy(text: string): readonly string[] {
  try {
    return marker.safeParse(JSON.parse(text)).data?.hide ?? [];
  } catch {
    return []; // somebody else's text under our media type hides nothing
  }
}
