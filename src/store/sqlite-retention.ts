import type { Action } from '../domain/action.ts';
import { idDigest } from './id-digest.ts';
import type { ActionTables } from './sqlite-actions.ts';
import type { SqlDatabase } from './sqlite-driver.ts';
import type { PruneStep, Tables } from './tables.ts';

/** Events looked at, and actions removed, in one step: short enough to go unnoticed between other writes. */
const STEP_ROWS = 500;

/**
 * Removes old rows from the oldest on. The newest event always stays, because positions only grow: an empty journal
 * would start again at one.
 */
export function sqliteRetention(db: SqlDatabase, actions: ActionTables): Pick<Tables, 'prune'> {
  const newest = db.prepare('SELECT max(seq) AS seq FROM events');
  const oldest = db.prepare(
    'SELECT seq, digest, seen_at AS seenAt, seq IN (SELECT seq FROM inbox) AS undone ' +
      'FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const deleteEvent = db.prepare('DELETE FROM events WHERE seq = ?');
  const oldestActions = db.prepare(
    'SELECT intent, settled_at AS settledAt FROM actions WHERE intent > ? ORDER BY intent LIMIT ?',
  );
  const deleteAction = db.prepare('DELETE FROM actions WHERE intent = ?');

  // Lanes whose newest event is gone, and that nothing comes back to: of streams without a place, of closed places.
  const over = db.prepare(`
    SELECT lane FROM lanes JOIN names ON names.id = lanes.lane
    WHERE position < (SELECT min(seq) FROM events) AND wake_at IS NULL
      AND (name GLOB 'stream:*' OR EXISTS (
        SELECT 1 FROM lane_parts AS part
        WHERE part.lane = lanes.lane AND part.name = 'place/' AND json_extract(part.body, '$.open') = 0
      ))
      AND NOT EXISTS (SELECT 1 FROM actions WHERE outcome IS NULL AND actions.lane = lanes.lane)
    LIMIT ?
  `);
  const deleteLane = db.prepare('DELETE FROM lanes WHERE lane = ?');
  const deleteParts = db.prepare('DELETE FROM lane_parts WHERE lane = ?');
  const forgetLanes = (): boolean => {
    const lanes = over.all(STEP_ROWS) as { lane: number }[]; // the statement's column
    for (const { lane } of lanes) {
      deleteLane.run(lane);
      deleteParts.run(lane);
    }
    return lanes.length === STEP_ROWS;
  };

  const needed = (): ReadonlySet<string> =>
    new Set(
      actions.openActions().flatMap(({ body }) => {
        const { because } = JSON.parse(body) as Action; // written by us as an Action
        return because.map(idDigest);
      }),
    );

  return {
    prune({ before, overflowBefore, maxRows, afterSeq, afterIntent }: PruneStep) {
      const last = (newest.get() as { seq: number | null }).seq ?? 0; // an aggregate always has its one row
      // The statement's columns.
      const rows = oldest.all(afterSeq, STEP_ROWS) as {
        seq: number;
        digest: string;
        seenAt: number;
        undone: number;
      }[];
      const old = rows.filter(
        ({ seq, seenAt }) =>
          seq < last && (seenAt < before || (seq <= last - maxRows && seenAt < overflowBefore)),
      );
      const keep = old.length > 0 ? needed() : new Set();
      const gone = old.filter(({ digest, undone }) => undone === 0 && !keep.has(digest));
      for (const { seq } of gone) deleteEvent.run(seq);
      // The statement's columns.
      const intents = oldestActions.all(afterIntent, STEP_ROWS) as {
        intent: number;
        settledAt: number | null;
      }[];
      const settled = intents.filter(({ settledAt }) => settledAt !== null && settledAt < before);
      for (const { intent } of settled) deleteAction.run(intent);

      const next = {
        afterSeq: rows.at(-1)?.seq ?? afterSeq,
        afterIntent: intents.at(-1)?.intent ?? afterIntent,
      };
      const more = old.length > 0 || settled.length > 0 || forgetLanes();
      return { events: gone.length, actions: settled.length, next: more ? next : null };
    },
  };
}
