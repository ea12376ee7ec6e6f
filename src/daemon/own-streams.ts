import type { UsherEvent } from '../domain/event.ts';
import type { Journal } from '../engine/ports.ts';

const LOOK_BACK_MS = 24 * 3_600_000;
const PAGE = 500;

/**
 * Finds the stream that carries a tag of ours, for a composition whose answer was lost: its `started` may have come all
 * the same. Looks through a day of the journal, newest first.
 */
export const findOwnStream =
  (journal: Pick<Journal, 'read'>, now: () => number) =>
  async (opTag: string): Promise<string | undefined> => {
    const carries = (event: UsherEvent): event is Extract<UsherEvent, { type: 'stream.started' }> =>
      event.type === 'stream.started' && event.tags.includes(opTag);
    const fromAt = now() - LOOK_BACK_MS;
    for (let afterSeq = 0; ;) {
      const page = await journal.read({ types: ['stream.started'], fromAt, afterSeq, limit: PAGE });
      const found = page.findLast(({ event }) => carries(event))?.event;
      if (found !== undefined && carries(found)) return found.streamId;
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) return undefined;
      afterSeq = last.seq;
    }
  };
