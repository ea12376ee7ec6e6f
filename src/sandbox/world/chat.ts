import { MAX_MESSAGES_PER_FETCH } from '../../platform/index.ts';
import type { ChatMessage, Place, World } from './world.ts';

const RETENTION_MS = 90 * 24 * 3_600_000;

/** interface.md, "Limits". */
export const MESSAGE_PAGE = { default: 100, max: MAX_MESSAGES_PER_FETCH } as const;

export function post(
  world: World,
  place: Place,
  draft: Pick<ChatMessage, 'from' | 'mimeType' | 'message' | 'tags'>,
): ChatMessage {
  forgetExpired(world, place);
  const message: ChatMessage = {
    messageId: world.ids.message(place.id, ++place.messageCount),
    timestamp: world.clock.now(),
    deletedTimestamp: 0,
    from: draft.from,
    mimeType: draft.mimeType,
    message: draft.message,
    tags: draft.tags,
  };
  place.messages.push(message);
  return message;
}

/** One page, ascending, with both bounds exclusive; a bound need not exist (interface.md, endpoint 27). */
export function page(
  world: World,
  place: Place,
  query: { readonly limit: number; readonly before?: string; readonly after?: string },
): { messages: ChatMessage[]; hasMoreBefore: boolean; hasMoreAfter: boolean } {
  forgetExpired(world, place);
  const all = place.messages;
  const low = query.after === undefined ? 0 : firstAbove(all, query.after);
  const high = query.before === undefined ? all.length : Math.max(low, firstAtOrAbove(all, query.before));
  const fromOldest =
    query.after !== undefined && (query.before !== undefined || world.switches['page-after'] === 'oldest');
  const start = fromOldest ? low : Math.max(low, high - query.limit);
  const end = fromOldest ? Math.min(high, low + query.limit) : high;
  return { messages: all.slice(start, end), hasMoreBefore: start > 0, hasMoreAfter: end < all.length };
}

/** How many were there; what remains of them is the switch `purge`. */
export function purge(world: World, place: Place): number {
  forgetExpired(world, place);
  const now = world.clock.now();
  const alive = place.messages.filter((message) => message.deletedTimestamp === 0);
  if (world.switches.purge === 'vanish') place.messages = [];
  else for (const message of alive) message.deletedTimestamp = now;
  return alive.length;
}

function forgetExpired(world: World, place: Place): void {
  const oldest = world.clock.now() - RETENTION_MS;
  if ((place.messages[0]?.timestamp ?? oldest) >= oldest) return;
  const firstKept = place.messages.findIndex((message) => message.timestamp >= oldest);
  place.messages = firstKept < 0 ? [] : place.messages.slice(firstKept);
}

/** By position where the id exists, for a counter can begin again; else by the text of the ids. */
function firstAbove(messages: readonly ChatMessage[], id: string): number {
  const at = firstAtOrAbove(messages, id);
  return messages[at]?.messageId === id ? at + 1 : at;
}

function firstAtOrAbove(messages: readonly ChatMessage[], id: string): number {
  const exact = messages.findLastIndex((message) => message.messageId === id);
  if (exact >= 0) return exact;
  const above = messages.findIndex((message) => message.messageId > id);
  return above < 0 ? messages.length : above;
}
