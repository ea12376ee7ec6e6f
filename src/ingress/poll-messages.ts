import type { EventSource, PlaceGap } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { Clock, Intake, Log, PlaceDirectory } from '../engine/ports.ts';
import type { Message } from '../platform/index.ts';
import { messageEvent } from './message-event.ts';
import { messagePages, type MessageRange } from './message-pages.ts';
import { newestMessages } from './newest-messages.ts';
import type { KnowsAction } from './own-action.ts';
import type { PolledPlace } from './polled-place.ts';
import type { MessagePage } from './polling-client.ts';

/** Empty polls after which the cursor is checked against the newest page: after a roll-over nothing ever comes after it. */
const CHECK_AFTER_EMPTY_POLLS = 16;

/** Requests of one turn at most: a room that is written faster than it is read must not keep the others waiting. */
const MOST_REQUESTS = 8;

export interface MessagePollParts {
  /** One page; every call but the first waits for the budget itself. */
  readonly fetch: (range: MessageRange) => Promise<MessagePage>;
  readonly intake: Intake;
  readonly directory: Pick<PlaceDirectory, 'lastMessageId'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How old a message may be to be told of when a room is seen for the first time. */
  readonly catchUpMs: number;
  readonly knows?: KnowsAction | undefined;
  /** Called before messages are told: their authors' roles and names come from the member list. Must not reject. */
  readonly meetAuthors?: ((messages: readonly Message[]) => Promise<void>) | undefined;
  /** False while the place's lane is behind: the rest waits for the next turn. */
  readonly mayReadOn?: (() => boolean) | undefined;
}

/**
 * Reads a room on from its cursor, which moves only over what is durable. A room without a cursor begins at its newest
 * messages; a cursor that the history no longer holds is a `place.gap`, and reading begins again at the newest ones.
 * What is found before the end was reached, at a start or after an outage, may be old: it is `reconcile`. Resolves with
 * the number of new messages.
 */
export async function pollMessages(place: PolledPlace, parts: MessagePollParts): Promise<number> {
  const { cursor } = place;
  const now = parts.clock.now();
  const away = cursor.endAt === undefined || now - cursor.endAt > parts.catchUpMs;
  const source = away ? 'reconcile' : 'poll';
  if (cursor.last === null) return readOn(place, parts, {}, source, null);
  if (cursor.last !== undefined) {
    if (cursor.emptyPolls >= CHECK_AFTER_EMPTY_POLLS) return check(place, parts, source, cursor.last);
    return readOn(place, parts, { after: cursor.last }, source, cursor.last);
  }
  const known = parts.directory.lastMessageId(place.ref);
  if (known !== undefined) return readOn(place, parts, { after: known }, source, known);
  return begin(place, parts, now - parts.catchUpMs);
}

/** Takes the newest messages for the beginning of all. */
async function begin(place: PolledPlace, parts: MessagePollParts, oldest: number): Promise<number> {
  const { messages, cut } = await newestMessages(parts.fetch, oldest);
  if (cut)
    await tellGap(place, parts, 'More was said lately than is read at once: older messages were left out.');
  const young = messages.filter(({ timestamp }) => timestamp >= oldest);
  const found = await tell(place, parts, young, 'reconcile');
  atEnd(place, parts, messages.at(-1)?.messageId ?? null);
  return found;
}

async function readOn(
  place: PolledPlace,
  parts: MessagePollParts,
  range: MessageRange,
  source: EventSource,
  from: string | null,
): Promise<number> {
  const { cursor } = place;
  let found = 0;
  let requests = 0;
  let ended = true;
  /** First messages of pages before which there is nothing, by the platform's word; '' of an empty page. */
  const nothingBefore = new Set<string>();
  const fetch = async (asked: MessageRange) => {
    requests += 1;
    const page = await parts.fetch(asked);
    if (!page.hasMoreBefore) nothingBefore.add(page.messages[0]?.messageId ?? '');
    return page;
  };
  const more = () => (ended = requests < MOST_REQUESTS && (parts.mayReadOn?.() ?? true));
  let last = from;
  for await (const messages of messagePages(fetch, range, more)) {
    const [first] = messages;
    if (last === from && from !== null && first && nothingBefore.has(first.messageId)) {
      if (await lacks(place, parts, first, from)) {
        await tellGap(place, parts, `What was said before was purged, maybe messages that nobody has read.`);
      }
    }
    found += await tell(place, parts, messages, source);
    last = cursor.last = messages.at(-1)?.messageId ?? last;
  }
  const emptied = nothingBefore.has('');
  cursor.emptyPolls = last !== from ? 0 : emptied ? CHECK_AFTER_EMPTY_POLLS : cursor.emptyPolls + 1;
  cursor.last = last;
  if (ended) cursor.endAt = parts.clock.now();
  return found;
}

/** Whether the history before `first` no longer holds the last message that was read. */
async function lacks(
  place: PolledPlace,
  parts: MessagePollParts,
  first: Message,
  last: string,
): Promise<boolean> {
  if (place.cursor.shy) return false;
  const { messages } = await parts.fetch({ before: first.messageId });
  place.cursor.shy = messages.some(({ messageId }) => messageId === last);
  return !place.cursor.shy;
}

/** Is the cursor still in the history? The newest page finds new messages as well, so that the check costs no request. */
async function check(
  place: PolledPlace,
  parts: MessagePollParts,
  source: EventSource,
  last: string,
): Promise<number> {
  const { cursor } = place;
  const { messages } = await parts.fetch({});
  const index = messages.findIndex(({ messageId }) => messageId === last);
  if (index >= 0) {
    const found = await tell(place, parts, messages.slice(index + 1), source);
    atEnd(place, parts, messages.at(-1)?.messageId ?? last);
    return found;
  }
  if (messages.length > 0) {
    const found = await readOn(place, parts, { after: last }, source, last);
    if (cursor.last !== last) return found;
  }
  await tellGap(
    place,
    parts,
    messages.length === 0
      ? 'The history is empty: it was purged after the last message that was read.'
      : 'The history no longer holds the last message that was read: it was purged, or the message ids rolled over.',
  );
  if (messages.length === 0) {
    atEnd(place, parts, null);
    return 0;
  }
  return begin(place, parts, (cursor.endAt ?? parts.clock.now()) - parts.catchUpMs);
}

function atEnd({ cursor }: PolledPlace, { clock }: MessagePollParts, last: string | null): void {
  cursor.last = last;
  cursor.emptyPolls = 0;
  cursor.endAt = clock.now();
}

async function tellGap(
  { ref }: PolledPlace,
  { intake, clock, log }: MessagePollParts,
  reason: string,
): Promise<void> {
  const now = clock.now();
  await intake.accept([
    withId<PlaceGap>({ type: 'place.gap', at: now, seenAt: now, source: 'poll', place: ref, reason }),
  ]);
  log.warn(
    { place: ref, reason },
    'Something may have been missed that the platform does not show any more.',
  );
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
