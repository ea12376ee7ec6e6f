import type { Action } from '../domain/action.ts';
import { placeKey } from '../domain/place.ts';
import { opTag } from '../egress/op-tag.ts';
import type { ActionHistory } from '../egress/action-history.ts';
import type { Journal } from '../engine/ports.ts';

const PAGE = 500;

/**
 * Reads an action's surroundings from the journal, by position: an action's causes were journaled before it was decided,
 * and what it did is journaled after them, whatever the clocks did meanwhile.
 */
export function actionHistory(journal: Pick<Journal, 'read' | 'find'>): ActionHistory {
  /** Position of its last cause; 0 when they are gone. */
  const decidedFrom = async ({ because }: Action): Promise<number> => {
    const causes = await Promise.all(because.map((id) => journal.find(id)));
    return Math.max(0, ...causes.map((cause) => cause?.seq ?? 0));
  };
  return {
    async messageBefore(action) {
      if (!action.place) return undefined;
      const [row] = await journal.read({
        lane: placeKey(action.place),
        types: ['message.posted'],
        beforeSeq: (await decidedFrom(action)) + 1,
        backward: true,
        limit: 1,
      });
      return row?.event.type === 'message.posted'
        ? { messageId: row.event.messageId, at: row.event.at }
        : undefined;
    },
    async streamOf(action) {
      const tag = opTag(action.id);
      for (let afterSeq = await decidedFrom(action); ;) {
        const page = await journal.read({ types: ['stream.started'], afterSeq, limit: PAGE });
        for (const { event } of page)
          if (event.type === 'stream.started' && event.tags.includes(tag)) return event.streamId;
        const last = page.at(-1);
        if (page.length < PAGE || last === undefined) return undefined;
        afterSeq = last.seq;
      }
    },
  };
}
