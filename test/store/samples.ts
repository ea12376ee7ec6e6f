import type { Action, ActionType } from '../../src/domain/action.ts';
import { actionId } from '../../src/domain/action-id.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { ActionSettled, EventId, MessagePosted } from '../../src/domain/event.ts';
import type { ActionRecord } from '../../src/engine/ports.ts';

/** A day after which nothing in these tests is young. */
export const NOON = Date.UTC(2026, 0, 2, 12);

export const LOBBY = 'room:us-northeast#demo.lobby';
export const STAGE = 'room:us-northeast#demo.stage';

/** A message in the lobby; the number is its identity. */
export const said = (n: number, over: Partial<MessagePosted> = {}): MessagePosted =>
  withId<MessagePosted>({
    type: 'message.posted',
    at: NOON + n,
    seenAt: NOON + n,
    source: 'poll',
    place: { kind: 'room', id: 'us-northeast#demo.lobby' },
    messageId: `lobby|m|${String(n).padStart(6, '0')}`,
    author: { key: 'name:ann', screenName: 'Ann', standing: 'anonymous', claimedRole: 'Audience' },
    text: `message ${n} 🎈`,
    mimeType: 'text/plain',
    tags: [],
    ...over,
  });

/** An intent of a reply because of these events. */
export function reply(because: readonly EventId[], ordinal = 0): ActionRecord {
  const action: Action<'message.send'> = {
    type: 'message.send',
    id: actionId({ bot: 'house', rule: 'greet', because, ordinal }),
    place: { kind: 'room', id: 'us-northeast#demo.lobby' },
    text: 'Hello',
    tags: [],
    bot: 'house',
    rule: 'greet',
    because,
    guarantee: 'exact',
    as: { screenName: 'House', role: 'Moderator' },
    decidedAt: NOON,
  };
  return { action, lane: LOBBY, mode: 'enforce' };
}

/** What became of an intent. */
export const settled = (record: ActionRecord, over: Partial<ActionSettled> = {}): ActionSettled =>
  withId<ActionSettled>({
    type: 'action.settled',
    at: NOON,
    seenAt: NOON,
    source: 'outcome',
    action: record.action.id,
    actionType: record.action.type satisfies ActionType,
    bot: 'house',
    rule: 'greet',
    outcome: 'performed',
    detail: 'sent',
    result: { messageId: 'm1' },
    ...over,
  });
