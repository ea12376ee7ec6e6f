import type { EventType, UsherEvent } from '../domain/event.ts';
import { placeKey } from '../domain/place.ts';
import { idDigest } from './id-digest.ts';
import { attempt, readDamaged, type LostRows } from './read-damaged.ts';
import { withNewFirstPage } from './first-page.ts';
import { migrate } from './schema.ts';
import { openDatabase, type SqlDatabase } from './sqlite-driver.ts';

/** What was carried over into the new file, and what could not be read. */
export interface Salvage {
  readonly kept: { readonly events: number; readonly lanes: number; readonly actions: number };
  readonly events: LostRows;
  /** Of lost events, as far as an index still tells. */
  readonly types: ReadonlyMap<EventType, number>;
  /** Lanes whose state is lost, whole or in part: they begin anew unless it is made again from the journal. */
  readonly lanes: readonly string[];
  readonly actions: LostRows;
  /** How many of the lost actions had no outcome; undefined where nothing tells. */
  readonly openActions: number | undefined;
  /** True when it is not known which events were handled: those after their lane's position are handled again. */
  readonly inboxGuessed: boolean;
}

type Name = { readonly key: number; readonly name: string };
type EventColumns = Readonly<Record<'key' | 'lane' | 'type' | 'at' | 'seenAt', number>> & {
  readonly digest: string;
  readonly body: string;
};
type ActionColumns = { readonly key: number; readonly id: string; readonly lane: number } & Readonly<
  Record<(typeof ACTION_COLUMNS)[number], string | number | null>
> & { readonly body: string };
type LaneColumns = { readonly key: number; readonly position: number; readonly wakeAt: number | null };

const ACTION_COLUMNS = ['mode', 'attempts', 'marked_at', 'settled_at', 'outcome', 'detail'] as const;

/**
 * Copies everything that can be read and can be true from the database at `from`, which may be damaged anywhere, into a
 * new one at `to`. `reached` is how far the journal is known to have come. Changes nothing at `from`.
 */
export function salvage(from: string, to: string, reached: number): Salvage {
  if (tellsTables(from)) return carryOver(from, to, reached);
  return withNewFirstPage(from, to, (grafted) => carryOver(grafted, to, reached));
}

function tellsTables(path: string): boolean {
  const db = openDatabase(path, { readOnly: true });
  try {
    return attempt(() => db.prepare('SELECT seq FROM events LIMIT 1')) !== undefined;
  } finally {
    db.close();
  }
}

function carryOver(from: string, to: string, reached: number): Salvage {
  const old = openDatabase(from, { readOnly: true });
  const fresh = openDatabase(to);
  try {
    migrate(fresh, to);
    fresh.exec('BEGIN');
    const result = copy(old, fresh, reached);
    fresh.exec('COMMIT');
    return result;
  } finally {
    old.close();
    fresh.close();
  }
}

function copy(old: SqlDatabase, fresh: SqlDatabase, reached: number): Salvage {
  const names = readNames(old);
  const ids = new Map<string, number>();
  const insertName = fresh.prepare('INSERT INTO names (id, name) VALUES (?, ?)');
  let nextId = Math.max(0, ...names.keys()) + 1;
  const intern = (name: string, wanted?: number): number => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const id = wanted ?? nextId++;
    insertName.run(id, name);
    ids.set(name, id);
    return id;
  };
  for (const [id, name] of names) intern(name, id);

  const index = readEventIndex(old, names);
  const insertEvent = fresh.prepare(
    'INSERT INTO events (seq, digest, lane, prev, type, at, seen_at, body) VALUES (?, ?, ?, 0, ?, ?, ?, ?) ' +
      'ON CONFLICT DO NOTHING',
  );
  let keptEvents = 0;
  const events = readDamaged<EventColumns>(old, {
    table: 'events',
    key: 'seq',
    columns: 'digest, lane, type, at, seen_at AS seenAt, body',
    known: index && new Set(index.keys()),
    most: reached,
    take({ key, digest, lane, body }) {
      const event = readJson(body) as UsherEvent | undefined; // its id tells whether it is one
      if (typeof event?.id !== 'string' || idDigest(event.id) !== digest) return false;
      const place = names.get(lane) ?? (event.place && placeKey(event.place));
      if (place === undefined) return false;
      const { changes } = insertEvent.run(
        key,
        digest,
        intern(place),
        intern(event.type),
        event.at,
        event.seenAt,
        body,
      );
      keptEvents += Number(changes);
      return Number(changes) > 0;
    },
  });
  const lanes = copyLanes(old, fresh, names);
  linkLanes(fresh);
  const inboxGuessed = !copyInbox(old, fresh);

  const insertAction = fresh.prepare(
    `INSERT INTO actions (intent, id, lane, ${ACTION_COLUMNS.join(', ')}, body) ` +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  let keptActions = 0;
  const actions = readDamaged<ActionColumns>(old, {
    table: 'actions',
    key: 'intent',
    columns: `id, lane, ${ACTION_COLUMNS.join(', ')}, body`,
    known: keysOf(old, 'SELECT intent AS key FROM actions INDEXED BY sqlite_autoindex_actions_1'),
    most: 0,
    take({ key, id, lane, body, ...rest }) {
      const action = readJson(body) as { readonly id: string } | undefined; // its id tells whether it is one
      if (action?.id !== id || !names.has(lane)) return false;
      const { changes } = insertAction.run(
        key,
        id,
        lane,
        ...ACTION_COLUMNS.map((column) => rest[column]),
        body,
      );
      keptActions += Number(changes);
      return Number(changes) > 0;
    },
  });
  const open = keysOf(
    old,
    'SELECT intent AS key FROM actions INDEXED BY actions_open WHERE outcome IS NULL ORDER BY intent',
  );
  const types = new Map<EventType, number>();
  for (const seq of events.keys) {
    const type = index?.get(seq);
    if (type !== undefined) types.set(type, (types.get(type) ?? 0) + 1);
  }
  return {
    kept: { events: keptEvents, lanes: lanes.kept, actions: keptActions },
    events,
    types,
    lanes: lanes.lost,
    actions,
    openActions: open && actions.keys.filter((intent) => open.has(intent)).length,
    inboxGuessed,
  };
}

/** Numbers and names, from the table and from its index: one of the two is often whole. */
function readNames(old: SqlDatabase): Map<number, string> {
  const names = new Map<number, string>();
  readDamaged<Name>(old, {
    table: 'names',
    key: 'id',
    columns: 'name',
    known: undefined,
    most: 0,
    take: ({ key, name }) => Boolean(names.set(key, name)),
  });
  const indexed = attempt(
    () =>
      old
        .prepare('SELECT id AS key, name FROM names INDEXED BY sqlite_autoindex_names_1 ORDER BY name')
        .all() as Name[], // the columns asked for
  );
  for (const { key, name } of indexed ?? []) if (!names.has(key)) names.set(key, name);
  return names;
}

/** The type of each event by its position, where the index of types can be read to its end. */
function readEventIndex(
  old: SqlDatabase,
  names: ReadonlyMap<number, string>,
): ReadonlyMap<number, EventType> | undefined {
  const rows = attempt(
    () =>
      old
        .prepare('SELECT seq, type FROM events INDEXED BY events_type WHERE type >= 0 ORDER BY type, seq')
        .all() as { seq: number; type: number }[], // the columns asked for
  );
  return rows && new Map(rows.map(({ seq, type }) => [seq, names.get(type) as EventType])); // only event types stand there
}

function keysOf(old: SqlDatabase, sql: string): ReadonlySet<number> | undefined {
  const rows = attempt(() => old.prepare(sql).all() as { key: number }[]); // the one column
  return rows && new Set(rows.map(({ key }) => key));
}

/**
 * Each event names the one before it in its lane, and a lane stands at one of its own: what was lost is left out of the
 * line, because its position will be given again.
 */
function linkLanes(fresh: SqlDatabase): void {
  const link = fresh.prepare('UPDATE events SET prev = ? WHERE seq = ?');
  const page = fresh.prepare('SELECT seq, lane FROM events WHERE seq > ? ORDER BY seq LIMIT 10000');
  const stood = new Map(
    (fresh.prepare('SELECT lane, position FROM lanes').all() as { lane: number; position: number }[]).map(
      ({ lane, position }) => [lane, position] as const,
    ),
  );
  const newest = new Map<number, number>();
  const stands = new Map<number, number>();
  for (let after = 0, more = true; more;) {
    const rows = page.all(after) as { seq: number; lane: number }[]; // the columns asked for
    for (const { seq, lane } of rows) {
      const prev = newest.get(lane);
      if (prev !== undefined) link.run(prev, seq);
      newest.set(lane, seq);
      if (seq <= (stood.get(lane) ?? 0)) stands.set(lane, seq);
      after = seq;
    }
    more = rows.length > 0;
  }
  const stand = fresh.prepare('UPDATE lanes SET position = ? WHERE lane = ?');
  for (const lane of stood.keys()) stand.run(stands.get(lane) ?? 0, lane);
}

/** A lane is kept only whole: half of what it knew would be worse than nothing. */
function copyLanes(
  old: SqlDatabase,
  fresh: SqlDatabase,
  names: ReadonlyMap<number, string>,
): { readonly kept: number; readonly lost: readonly string[] } {
  const parts = attempt(() => old.prepare('SELECT name, body FROM lane_parts WHERE lane = ? ORDER BY name'));
  const insert = fresh.prepare('INSERT INTO lanes (lane, position, wake_at) VALUES (?, ?, ?)');
  const insertPart = fresh.prepare('INSERT INTO lane_parts (lane, name, body) VALUES (?, ?, ?)');
  let kept = 0;
  const missing = readDamaged<LaneColumns>(old, {
    table: 'lanes',
    key: 'lane',
    columns: 'position, wake_at AS wakeAt',
    known: undefined,
    most: Math.max(0, ...names.keys()),
    take({ key, position, wakeAt }) {
      const rows = attempt(() => parts?.all(key) as { name: string; body: string }[]); // the columns asked for
      const whole = names.has(key) && rows?.every(({ body }) => readJson(body) !== undefined);
      if (!rows || whole !== true) return false;
      insert.run(key, position, wakeAt);
      for (const { name, body } of rows) insertPart.run(key, name, body);
      kept += 1;
      return true;
    },
  });
  const isLane = (name: string): boolean => name === 'daemon' || /^(?:room|channel|stream):/.test(name);
  const lost = missing.keys.map((id) => names.get(id) ?? `number ${id}`);
  return { kept, lost: missing.exact ? lost : lost.filter(isLane) };
}

/** Which events no lane has handled; false where that had to be guessed from the lanes' positions. */
function copyInbox(old: SqlDatabase, fresh: SqlDatabase): boolean {
  const undone = keysOf(old, 'SELECT seq AS key FROM inbox ORDER BY seq');
  const insert = fresh.prepare('INSERT INTO inbox (seq) SELECT seq FROM events WHERE seq = ?');
  for (const seq of undone ?? []) insert.run(seq);
  if (undone !== undefined) return true;
  fresh.exec(
    'INSERT INTO inbox (seq) SELECT events.seq FROM events JOIN lanes USING (lane) WHERE events.seq > lanes.position',
  );
  return false;
}

/** Undefined where the text is no JSON: a flipped bit, or no row of ours. */
function readJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as lost by the caller
  }
}
