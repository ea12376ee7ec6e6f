import type { EventSource, MessagePosted } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import { memberKey } from '../domain/member.ts';
import type { PlaceRef } from '../domain/place.ts';
import type { Message } from '../platform/index.ts';
import { ownAction, type KnowsAction } from './own-action.ts';

/**
 * The event of a listed message. Session, name and role are what the sender claims (`claimed`, `anonymous`): only the
 * member list, which the lane knows, makes an author `verified`.
 */
export function messageEvent(
  message: Message,
  of: {
    readonly place: PlaceRef;
    readonly seenAt: number;
    readonly source: EventSource;
    readonly knows?: KnowsAction | undefined;
  },
): MessagePosted {
  const { from, tags } = message;
  const sessionId = from.sessionId === '' ? undefined : from.sessionId;
  const action = ownAction(tags, message.messageId, of.knows);
  return withId<MessagePosted>({
    type: 'message.posted',
    at: message.timestamp,
    seenAt: of.seenAt,
    source: of.source,
    place: of.place,
    messageId: message.messageId,
    author: {
      key: memberKey({ sessionId, screenName: from.screenName }),
      ...(sessionId === undefined ? {} : { sessionId }),
      screenName: from.screenName,
      standing: sessionId === undefined ? 'anonymous' : 'claimed',
      claimedRole: from.role,
    },
    text: message.message,
    mimeType: message.mimeType,
    tags,
    ...(action === undefined ? {} : { own: true, causedBy: action }),
  });
}
