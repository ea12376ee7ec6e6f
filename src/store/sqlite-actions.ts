import { unknownAction } from './refusals.ts';
import type { SqlDatabase } from './sqlite-driver.ts';
import type { EventTables } from './sqlite-events.ts';
import type { Names } from './sqlite-names.ts';
import type { ActionRow, StoredAction, Tables } from './tables.ts';

/** The outbox's table, and the way in for a lane's commit. */
export interface ActionTables extends Pick<
  Tables,
  'openActions' | 'markAction' | 'settleAction' | 'findAction'
> {
  /** False when the id was known: it is left as it is. */
  intend(lane: number, action: ActionRow): boolean;
}

const COLUMNS = 'SELECT body, mode, outcome, detail, lane, attempts, marked_at AS markedAt FROM actions';

export function sqliteActions(db: SqlDatabase, names: Names, events: EventTables): ActionTables {
  const insert = db.prepare(
    'INSERT INTO actions (id, lane, mode, outcome, detail, settled_at, body) VALUES (?, ?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (id) DO NOTHING',
  );
  const selectOpen = db.prepare(`${COLUMNS} WHERE outcome IS NULL ORDER BY intent`);
  const selectOne = db.prepare(`${COLUMNS} WHERE id = ?`);
  const mark = db.prepare('UPDATE actions SET attempts = ?, marked_at = ? WHERE id = ? AND outcome IS NULL');
  const settle = db.prepare(
    'UPDATE actions SET outcome = ?, detail = ?, settled_at = ? WHERE id = ? AND outcome IS NULL',
  );
  const stored = (row: unknown): StoredAction => {
    const action = row as Omit<StoredAction, 'lane'> & { lane: number }; // COLUMNS
    return { ...action, lane: names.nameOf(action.lane) };
  };
  const find = (id: string): StoredAction | undefined => {
    const row = selectOne.get(id);
    return row === undefined ? undefined : stored(row);
  };

  return {
    intend: (lane, [id, ...columns]) => Number(insert.run(id, lane, ...columns).changes) > 0,
    openActions: () => selectOpen.all().map(stored),
    markAction(id, attempt, at) {
      if (Number(mark.run(attempt, at, id).changes) === 0) throw unknownAction(id, 'mark');
    },
    settleAction(id, event, outcome, detail, at) {
      if (Number(settle.run(outcome, detail, at, id).changes) > 0) return events.insert(event);
      if (find(id) === undefined) throw unknownAction(id, 'settle');
      return null;
    },
    findAction: find,
  };
}
