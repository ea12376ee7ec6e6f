import type { ActionDraft } from '../domain/action.ts';
import type { EventOf } from '../domain/event.ts';
import type { PlaceRef } from '../domain/place.ts';
import { placeOf, reasonIds, type Because } from './reasons.ts';

/** A message of the bot into the room of the event that it answers; cut by the sender to the platform's limit. */
export const reply = (
  event: EventOf<'message.posted'>,
  text: string,
  options: { readonly because?: Because; readonly tags?: readonly string[] } = {},
): ActionDraft<'message.send'> =>
  announce(text, { because: options.because ?? event, place: event.place, tags: options.tags ?? [] });

/** A message of the bot into the room of its reasons, or into `place`. */
export const announce = (
  text: string,
  options: { readonly because: Because; readonly place?: PlaceRef; readonly tags?: readonly string[] },
): ActionDraft<'message.send'> => ({
  type: 'message.send',
  place: placeOf('announce', options.because, options.place),
  text,
  tags: options.tags ?? [],
  because: reasonIds(options.because),
});

/** Asks clients to hide a message; advisory. The event may also be one of `room.messages` with its `place`. */
export const hideMessage = (
  event: EventOf<'message.posted'>,
  options: { readonly because?: Because } = {},
): ActionDraft<'message.hide'> => ({
  type: 'message.hide',
  place: placeOf('hideMessage', event),
  messageIds: [event.messageId],
  because: reasonIds(options.because ?? event),
});

/** Asks clients to hide messages by their ids, all of one room; advisory. */
export const hideMessages = (
  messageIds: readonly string[],
  options: { readonly because: Because; readonly place?: PlaceRef },
): ActionDraft<'message.hide'> => ({
  type: 'message.hide',
  place: placeOf('hideMessages', options.because, options.place),
  messageIds: [...new Set(messageIds)],
  because: reasonIds(options.because),
});

/** Deletes all messages of the room. Irreversible: needs a verified author when a message is the reason. */
export const purgeRoom = (options: {
  readonly because: Because;
  readonly place?: PlaceRef;
}): ActionDraft<'room.purge'> => ({
  type: 'room.purge',
  place: placeOf('purgeRoom', options.because, options.place),
  because: reasonIds(options.because),
});
