import { createHash } from 'node:crypto';
import type { ActionId } from './action.ts';
import type { EventId } from './event.ts';

/**
 * The same decision for the same events has the same id, however often the event is handled: the outbox keeps it
 * unique, and so there is no second deed. 96 bits: no two of a billion actions meet by chance.
 */
export function actionId(of: {
  readonly bot: string;
  readonly rule: string;
  readonly because: readonly EventId[];
  readonly ordinal: number;
}): ActionId {
  const text = JSON.stringify([of.bot, of.rule, [...of.because].sort(), of.ordinal]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
