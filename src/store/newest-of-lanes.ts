import type { SqlDatabase } from './sqlite-driver.ts';

/** Lanes remembered before those that are done are dropped; streams without a place make a lane each. */
const REMEMBERED = 50_000;

/** The newest event of each lane. */
export interface NewestOfLanes {
  /** 0 before the first. */
  of(lane: number): number;
  set(lane: number, seq: number): void;
  /** After a rollback: what was set in it does not count. */
  forget(): void;
}

/** Kept in memory, and found again from inbox and positions after a start. */
export function newestOfLanes(db: SqlDatabase): NewestOfLanes {
  const inInbox = db.prepare(
    'SELECT events.lane, max(max(inbox.seq), coalesce((SELECT position FROM lanes WHERE lanes.lane = events.lane), 0)) ' +
      'AS seq FROM inbox CROSS JOIN events ON events.seq = inbox.seq GROUP BY events.lane',
  );
  const position = db.prepare('SELECT position FROM lanes WHERE lane = ?');
  const newest = new Map<number, number>();
  let loaded = false;
  let most = REMEMBERED;
  return {
    of(lane) {
      if (!loaded || newest.size > most) {
        newest.clear();
        const rows = inInbox.all() as { lane: number; seq: number }[]; // the statement's columns
        for (const row of rows) newest.set(row.lane, row.seq);
        loaded = true;
        // A backlog of more lanes than that stays whole: to read it again for each event would take for ever.
        most = Math.max(REMEMBERED, newest.size * 2);
      }
      const known = newest.get(lane);
      if (known !== undefined) return known;
      const row = position.get(lane) as { position: number } | undefined; // the statement's column
      return row?.position ?? 0;
    },
    set: (lane, seq) => void newest.set(lane, seq),
    forget() {
      loaded = false;
    },
  };
}
