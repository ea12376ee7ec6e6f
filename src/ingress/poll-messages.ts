import type { EventSource, PlaceGap } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { Clock, Intake, PlaceDirectory } from '../engine/ports.ts';
import type { Message } from '../platform/index.ts';
import { messageEvent } from './message-event.ts';
import { messagePages, type MessageRange } from './message-pages.ts';
import type { KnowsAction } from './own-action.ts';
import type { PolledPlace } from './polled-place.ts';
import type { MessagePage } from './polling-client.ts';

/** Empty polls after which the cursor is checked against the newest page: after a roll-over nothing ever comes after it. */
const CHECK_AFTER_EMPTY_POLLS = 16;

export interface MessagePollParts {
  /** One page; every call but the first waits for the budget itself. */
  readonly fetch: (range: MessageRange) => Promise<MessagePage>;
  readonly intake: Intake;
  readonly directory: Pick<PlaceDirectory, 'lastMessageId'>;
  readonly clock: Clock;
  /** How old a message may be to be told of when a room is seen for the first time. */
  readonly catchUpMs: number;
  readonly knows?: KnowsAction | undefined;
  /** Called before messages are told: their authors' roles and names come from the member list. Must not reject. */
  readonly meetAuthors?: ((messages: readonly Message[]) => Promise<void>) | undefined;
}

/**
 * Reads a room on from its cursor, which moves only over what is durable. A room without a cursor begins at its newest
 * page; a cursor that the history no longer holds is a `place.gap`, and reading begins again at the newest page.
 * Resolves with the number of new messages.
 */
export async function pollMessages(place: PolledPlace, parts: MessagePollParts): Promise<number> {
  const { cursor } = place;
  if (cursor.last !== undefined) {
    if (cursor.last === null) return readOn(place, parts, {}, 'poll');
    if (cursor.emptyPolls >= CHECK_AFTER_EMPTY_POLLS) return check(place, parts, cursor.last);
    return readOn(place, parts, { after: cursor.last }, 'poll');
  }
  const known = parts.directory.lastMessageId(place.ref);
  if (known !== undefined) return readOn(place, parts, { after: known }, 'reconcile', known);
  const { messages } = await parts.fetch({});
  const oldest = parts.clock.now() - parts.catchUpMs;
  const found = await tell(
    place,
    parts,
    messages.filter(({ timestamp }) => timestamp >= oldest),
    'reconcile',
  );
  cursor.last = messages.at(-1)?.messageId ?? null;
  return found;
}

async function readOn(
  place: PolledPlace,
  parts: MessagePollParts,
  range: MessageRange,
  source: EventSource,
  from: string | null = place.cursor.last ?? null,
): Promise<number> {
  const { cursor } = place;
  let found = 0;
  let historyBefore = true;
  const fetch = async (asked: MessageRange) => {
    const page = await parts.fetch(asked);
    if (page.messages.length === 0 && !page.hasMoreBefore) historyBefore = false;
    return page;
  };
  let last = from;
  for await (const messages of messagePages(fetch, range)) {
    found += await tell(place, parts, messages, source);
    last = cursor.last = messages.at(-1)?.messageId ?? last;
  }
  cursor.emptyPolls = last !== from ? 0 : historyBefore ? cursor.emptyPolls + 1 : CHECK_AFTER_EMPTY_POLLS;
  cursor.last = last;
  return found;
}

/** Is the cursor still in the history? The newest page finds new messages as well, so that the check costs no request. */
async function check(place: PolledPlace, parts: MessagePollParts, last: string): Promise<number> {
  const { cursor } = place;
  const { messages } = await parts.fetch({});
  const index = messages.findIndex(({ messageId }) => messageId === last);
  if (index >= 0) {
    const found = await tell(place, parts, messages.slice(index + 1), 'poll');
    cursor.last = messages.at(-1)?.messageId ?? last;
    cursor.emptyPolls = 0;
    return found;
  }
  if (messages.length > 0) {
    const found = await readOn(place, parts, { after: last }, 'poll');
    if (cursor.last !== last) return found;
  }
  const now = parts.clock.now();
  await parts.intake.accept([
    withId<PlaceGap>({
      type: 'place.gap',
      at: now,
      seenAt: now,
      source: 'poll',
      place: place.ref,
      reason:
        messages.length === 0
          ? 'The history is empty: it was purged after the last message that was read.'
          : 'The history no longer holds the last message that was read: it was purged, or the message ids rolled over.',
    }),
  ]);
  const found = await tell(place, parts, messages, 'poll');
  cursor.last = messages.at(-1)?.messageId ?? null;
  cursor.emptyPolls = 0;
  return found;
}

async function tell(
  place: PolledPlace,
  { intake, clock, knows, meetAuthors }: MessagePollParts,
  messages: readonly Message[],
  source: EventSource,
): Promise<number> {
  const there = messages.filter(({ deletedTimestamp }) => deletedTimestamp === 0);
  if (there.length === 0) return 0;
  await meetAuthors?.(there);
  const of = { place: place.ref, seenAt: clock.now(), source, knows };
  const events = there.map((message) => messageEvent(message, of));
  const fates = await intake.accept(events);
  return fates.filter((fate) => fate === 'new').length;
}
