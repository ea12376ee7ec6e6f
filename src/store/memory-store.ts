import type { ActionId, OutcomeKind } from '../domain/action.ts';
import type { EventId, UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Plain } from '../domain/memory.ts';
import type {
  ActionRecord,
  Actions,
  Journal,
  Journaled,
  JournalQuery,
  LaneCommit,
  LaneDocument,
  Lanes,
} from '../engine/ports.ts';
import { StoreError } from '../errors.ts';
import { unknownAction } from './refusals.ts';
import { pruneLimits } from './retention.ts';
import type { Pruned, Retention, Store } from './store.ts';

interface ActionRow {
  readonly record: Omit<ActionRecord, 'settled'>;
  attempts: number;
  markedAt: number | null;
  outcome?: OutcomeKind;
  detail?: string;
  settledAt?: number;
}

interface LaneRow {
  position: number;
  wakeAt: number | null;
  readonly parts: Map<string, () => Plain>;
}

/** The memory store and its one fault: `failWith` makes each write reject with that reason, until undefined. */
export interface MemoryStore extends Store {
  failWith(reason: string | undefined): void;
}

/**
 * The store's ports without a disk, for tests and benches: same answers as SQLite, gone with the process. Lane parts
 * are copied like a real store would, unless `share` is set (for benches, which change nothing afterwards).
 */
export function memoryStore(
  options: { readonly share?: boolean; readonly now?: () => number } = {},
): MemoryStore {
  const rows: Journaled[] = [];
  const bySeq = new Map<number, Journaled>();
  const byId = new Map<EventId, Journaled>();
  const undoneRows = new Map<number, Journaled>();
  const laneRows = new Map<LaneKey, LaneRow>();
  const actionRows = new Map<ActionId, ActionRow>();
  const keep = options.share ? shared : copied;
  const now = options.now ?? Date.now;
  let lastSeq = 0;
  let fault: string | undefined;
  let closed = false;

  const guardRead = (): void => {
    if (closed) throw new StoreError('The store is closed.');
  };
  const guardWrite = (): void => {
    guardRead();
    if (fault !== undefined) throw new StoreError(fault);
  };

  const insert = (lane: LaneKey, event: UsherEvent): Journaled | 'duplicate' => {
    if (byId.has(event.id)) return 'duplicate';
    lastSeq += 1;
    const row: Journaled = { seq: lastSeq, lane, event };
    rows.push(row);
    bySeq.set(row.seq, row);
    byId.set(event.id, row);
    undoneRows.set(row.seq, row);
    return row;
  };

  const journal: Journal = {
    async append(events) {
      guardWrite();
      return events.map(({ lane, event }) => insert(lane, event));
    },
    async undone(limit, afterSeq = 0) {
      guardRead();
      const found: Journaled[] = [];
      for (const row of undoneRows.values()) {
        if (found.length >= limit) break;
        if (row.seq > afterSeq) found.push(row);
      }
      return found;
    },
    async read(query) {
      guardRead();
      const found = rows.filter((row) => matches(row, query));
      if (query.backward) found.reverse();
      return found.slice(0, query.limit ?? found.length);
    },
    async find(id) {
      guardRead();
      return byId.get(id);
    },
  };

  const lanes: Lanes = {
    async load(lane): Promise<LaneDocument | undefined> {
      guardRead();
      const row = laneRows.get(lane);
      if (!row) return undefined;
      const parts = Object.fromEntries([...row.parts].map(([name, part]) => [name, part()]));
      return { lane, position: row.position, wakeAt: row.wakeAt, parts };
    },
    async commit(commit: LaneCommit) {
      guardWrite();
      const row: LaneRow = laneRows.get(commit.lane) ?? { position: 0, wakeAt: null, parts: new Map() };
      for (const [name, part] of Object.entries(commit.parts)) {
        if (part === null) row.parts.delete(name);
        else row.parts.set(name, keep(part));
      }
      for (const seq of commit.handled) {
        undoneRows.delete(seq);
        if (seq > row.position) row.position = seq;
      }
      row.wakeAt = commit.wakeAt;
      laneRows.set(commit.lane, row);
      const fresh: ActionId[] = [];
      for (const { settled, ...record } of commit.actions) {
        if (actionRows.has(record.action.id)) continue;
        fresh.push(record.action.id);
        const end = settled && { ...settled, settledAt: now() };
        actionRows.set(record.action.id, { record, attempts: 0, markedAt: null, ...end });
      }
      return fresh;
    },
    async list() {
      guardRead();
      return [...laneRows].map(([lane, { wakeAt }]) => ({ lane, wakeAt }));
    },
  };

  const actions: Actions = {
    async open() {
      guardRead();
      return [...actionRows.values()]
        .filter((row) => row.outcome === undefined)
        .map(({ record, attempts, markedAt }) => ({ ...record, attempts, markedAt }));
    },
    async mark(id, attempt, at) {
      guardWrite();
      const row = actionRows.get(id);
      if (!row || row.outcome !== undefined) throw unknownAction(id, 'mark');
      row.attempts = attempt;
      row.markedAt = at;
    },
    async settle(id, event, lane) {
      guardWrite();
      const row = actionRows.get(id);
      if (!row) throw unknownAction(id, 'settle');
      if (row.outcome !== undefined) return 'duplicate';
      row.outcome = event.outcome;
      row.detail = event.detail;
      row.settledAt = now();
      return insert(lane, event);
    },
    async find(id) {
      guardRead();
      const row = actionRows.get(id);
      if (!row) return undefined;
      return row.outcome === undefined
        ? row.record
        : { ...row.record, outcome: row.outcome, detail: row.detail ?? '' };
    },
  };

  const prune = async (retention: Retention): Promise<Pruned> => {
    guardWrite();
    const { before, overflowBefore, maxRows } = pruneLimits(retention, now());
    const open = [...actionRows.values()].filter((row) => row.outcome === undefined);
    const needed = new Set(open.flatMap((row) => row.record.action.because));
    const gone = rows.filter(
      ({ seq, event }) =>
        (event.seenAt < before || (seq <= lastSeq - maxRows && event.seenAt < overflowBefore)) &&
        seq !== lastSeq &&
        !undoneRows.has(seq) &&
        !needed.has(event.id),
    );
    for (const row of gone) {
      bySeq.delete(row.seq);
      byId.delete(row.event.id);
    }
    rows.splice(0, rows.length, ...bySeq.values());
    const settled = [...actionRows].filter(([, row]) => (row.settledAt ?? Infinity) < before);
    for (const [id] of settled) actionRows.delete(id);
    const first = rows[0]?.seq ?? 0;
    const busy = new Set(open.map(({ record }) => record.lane));
    for (const [lane, row] of laneRows) {
      if (row.position < first && row.wakeAt === null && !busy.has(lane) && isOver(lane, row)) {
        laneRows.delete(lane);
      }
    }
    return { events: gone.length, actions: settled.length };
  };

  return {
    journal,
    lanes,
    actions,
    readiness: { name: 'store', reason: () => (closed ? 'The store is closed.' : fault) },
    prune,
    async close() {
      closed = true;
    },
    failWith(reason) {
      fault = reason;
    },
  };
}

/** The lane of a stream without a place, or of a place that is closed: nothing comes back to it. */
const isOver = (lane: LaneKey, { parts }: LaneRow): boolean => {
  const place = parts.get('place/')?.();
  return (
    lane.startsWith('stream:') ||
    (typeof place === 'object' && place !== null && 'open' in place && place['open'] === false)
  );
};

const shared = (part: Plain) => () => part;

function copied(part: Plain): () => Plain {
  const text = JSON.stringify(part);
  return () => JSON.parse(text) as Plain; // what was Plain when written is Plain when read
}

function matches({ seq, lane, event }: Journaled, query: JournalQuery): boolean {
  return (
    seq > (query.afterSeq ?? 0) &&
    seq < (query.beforeSeq ?? Infinity) &&
    event.at >= (query.fromAt ?? -Infinity) &&
    event.at <= (query.toAt ?? Infinity) &&
    (query.lane === undefined || lane === query.lane) &&
    (query.types === undefined || query.types.includes(event.type))
  );
}
