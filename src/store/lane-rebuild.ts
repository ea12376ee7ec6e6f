import type { ActionId } from '../domain/ids.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Journaled, LaneDocument } from '../engine/ports.ts';
import { explainFailure } from './explain-failure.ts';
import { openDatabase } from './sqlite-driver.ts';
import { sqliteNames } from './sqlite-names.ts';

/** The database as one sees it who makes all lanes anew; nobody else has it open. */
export interface LaneRebuild {
  /** Events that were handled, in order of arrival, page by page. */
  pages(): Generator<readonly Journaled[]>;
  /** Intents without an outcome. */
  openActions(): ReadonlySet<ActionId>;
  /** Puts these lanes in place of all that are there, at once or not at all. */
  replace(lanes: Iterable<LaneDocument>): void;
  close(): void;
}

/** Rows at once: many, so that each lane finds a batch among them. */
const PAGE = 50_000;

/** Throws `StoreError` when the file cannot be read. */
export function openLaneRebuild(path: string): LaneRebuild {
  const db = openDatabase(path);
  const names = sqliteNames(db);
  return {
    *pages() {
      const page = db.prepare(
        'SELECT seq, lane, body FROM events WHERE seq > ? AND seq NOT IN (SELECT seq FROM inbox) ORDER BY seq LIMIT ?',
      );
      for (let after = 0; ;) {
        const rows = page.all(after, PAGE) as { seq: number; lane: number; body: string }[]; // the columns asked for
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.seq;
        yield rows.map(({ seq, lane, body }) => ({
          seq,
          lane: names.nameOf(lane) as LaneKey, // only lane keys stand there
          event: JSON.parse(body) as UsherEvent, // as the journal wrote it
        }));
      }
    },
    openActions() {
      const rows = db.prepare('SELECT id FROM actions WHERE outcome IS NULL').all() as { id: ActionId }[]; // the one column
      return new Set(rows.map(({ id }) => id));
    },
    replace(lanes) {
      const insert = db.prepare('INSERT INTO lanes (lane, position, wake_at) VALUES (?, ?, ?)');
      const insertPart = db.prepare('INSERT INTO lane_parts (lane, name, body) VALUES (?, ?, ?)');
      try {
        db.exec('BEGIN IMMEDIATE; DELETE FROM lane_parts; DELETE FROM lanes;');
        for (const { lane, position, wakeAt, parts } of lanes) {
          const id = names.intern(lane);
          insert.run(id, position, wakeAt);
          for (const [name, part] of Object.entries(parts)) insertPart.run(id, name, JSON.stringify(part));
        }
        db.exec('COMMIT');
      } catch (error) {
        throw explainFailure(path, error);
      }
    },
    close: () => db.close(),
  };
}
