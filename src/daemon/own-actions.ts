import type { ActionSettled } from '../domain/event.ts';
import type { ActionId } from '../domain/ids.ts';
import type { ActionRecord, Journal } from '../engine/ports.ts';

/** So many of the newest actions are told from imitations; older messages are no longer polled. */
const MOST = 20_000;

/**
 * Which messages and streams are really ours. A tag in the right form proves nothing, and neither does a copied one:
 * once the platform told which message an action made, only that message is the action's. Until then (the answer is
 * under way, or lost) the tag counts.
 */
export class OwnActions {
  /** The message that an action made; undefined while, or where, there is none to tell. */
  readonly #made = new Map<ActionId, string | undefined>();

  readonly knows = (id: ActionId, messageOrStreamId: string): boolean => {
    if (!this.#made.has(id)) return false;
    const made = this.#made.get(id);
    return made === undefined || made === messageOrStreamId;
  };

  decided({ action }: ActionRecord): void {
    this.#keep(action.id, undefined);
  }

  settled(event: ActionSettled): void {
    this.#keep(event.action, event.result['messageId']);
  }

  /** What an earlier life of the daemon did. */
  async recall(journal: Pick<Journal, 'read'>): Promise<void> {
    const past = await journal.read({ types: ['action.settled'], backward: true, limit: MOST });
    for (const { event } of past.toReversed()) if (event.type === 'action.settled') this.settled(event);
  }

  #keep(id: ActionId, made: string | undefined): void {
    this.#made.delete(id);
    this.#made.set(id, made);
    if (this.#made.size <= MOST) return;
    const oldest = this.#made.keys().next();
    if (oldest.done !== true) this.#made.delete(oldest.value);
  }
}
