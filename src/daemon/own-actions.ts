import type { ActionSettled } from '../domain/event.ts';
import type { ActionId } from '../domain/ids.ts';
import type { ActionRecord, Journal } from '../engine/ports.ts';

/** So many of the newest actions are told from imitations; older messages are no longer polled. */
const MOST = 20_000;
const PAGE = 1_000;

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
    const past: (readonly [ActionId, made: string | undefined])[] = [];
    // Page by page: what is kept of an event is little, and all of them at once are a burden.
    for (let beforeSeq = Number.MAX_SAFE_INTEGER; past.length < MOST;) {
      const page = await journal.read({ types: ['action.settled'], backward: true, beforeSeq, limit: PAGE });
      for (const { event } of page)
        if (event.type === 'action.settled') past.push([event.action, event.result['messageId']]);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      beforeSeq = last.seq;
    }
    for (const [id, made] of past.toReversed()) this.#keep(id, made);
  }

  #keep(id: ActionId, made: string | undefined): void {
    this.#made.delete(id);
    this.#made.set(id, made);
    if (this.#made.size <= MOST) return;
    const oldest = this.#made.keys().next();
    if (oldest.done !== true) this.#made.delete(oldest.value);
  }
}
