import type { ActionTables } from './sqlite-actions.ts';
import type { SqlDatabase } from './sqlite-driver.ts';
import type { EventTables } from './sqlite-events.ts';
import type { Names } from './sqlite-names.ts';
import type { LaneRow, Tables } from './tables.ts';

type LaneTables = Pick<Tables, 'loadLane' | 'commitLane' | 'listLanes'>;

/** A lane's state, and the one write that ends the handling of its events. */
export function sqliteLanes(
  db: SqlDatabase,
  names: Names,
  events: EventTables,
  actions: ActionTables,
): LaneTables {
  const select = db.prepare('SELECT position, wake_at AS wakeAt FROM lanes WHERE lane = ?');
  const selectParts = db.prepare('SELECT name, body FROM lane_parts WHERE lane = ? ORDER BY name');
  const selectAll = db.prepare('SELECT lane, wake_at AS wakeAt FROM lanes ORDER BY lane');
  const upsert = db.prepare(
    'INSERT INTO lanes (lane, position, wake_at) VALUES (?, ?, ?) ON CONFLICT (lane) DO UPDATE ' +
      'SET position = max(position, excluded.position), wake_at = excluded.wake_at',
  );
  const upsertPart = db.prepare(
    'INSERT INTO lane_parts (lane, name, body) VALUES (?, ?, ?) ' +
      'ON CONFLICT (lane, name) DO UPDATE SET body = excluded.body',
  );
  const deletePart = db.prepare('DELETE FROM lane_parts WHERE lane = ? AND name = ?');

  return {
    loadLane(key) {
      const lane = names.lookup(key);
      if (lane === undefined) return undefined;
      const row = select.get(lane) as Pick<LaneRow, 'position' | 'wakeAt'> | undefined; // the statement's columns
      if (!row) return undefined;
      const parts = selectParts.all(lane) as { name: string; body: string }[]; // the statement's columns
      return { ...row, parts: parts.map(({ name, body }) => [name, body]) };
    },
    commitLane(key, handled, parts, wakeAt, intents) {
      const lane = names.intern(key);
      for (const seq of handled) events.handled(seq);
      for (const [name, body] of parts) {
        if (body === null) deletePart.run(lane, name);
        else upsertPart.run(lane, name, body);
      }
      upsert.run(lane, handled.at(-1) ?? 0, wakeAt);
      return intents.filter((intent) => actions.intend(lane, intent)).map(([id]) => id);
    },
    listLanes() {
      const rows = selectAll.all() as { lane: number; wakeAt: number | null }[]; // the statement's columns
      return rows.map(({ lane, wakeAt }) => ({ lane: names.nameOf(lane), wakeAt }));
    },
  };
}
