import type { ActionId } from '../../src/domain/action.ts';
import type { EventId } from '../../src/domain/event.ts';
import type { ActionRecord, Ban, Journaled, OperatorState } from '../../src/engine/ports.ts';
import { StoreError } from '../../src/errors.ts';
import type { Random } from '../../src/sandbox/random.ts';
import type { Store } from '../../src/store/store.ts';
import type { Life } from './life.ts';
import type { Timeline } from './timeline.ts';

/** What one life of the daemon opens. */
export interface OpenDisk {
  readonly store: Pick<Store, 'journal' | 'lanes' | 'actions'>;
  readonly operator: OperatorState;
}

/**
 * A disk that outlives its daemons. Jobs wait in line, are synced in groups, and only then hold and are answered; what
 * a dead daemon had not synced never was.
 */
export interface Disk {
  open(life: Life): OpenDisk;
  /** Writes are refused with this reason, until undefined. */
  failWith(reason: string | undefined): void;
  slowness(syncMs: number): void;
  /** Everything that is journaled, by id. */
  readonly journal: ReadonlyMap<EventId, Journaled>;
  /** Every decided action, in order of intent. */
  readonly intents: ReadonlyMap<ActionId, ActionRecord>;
  readonly durable: Store;
}

interface Job {
  readonly life: Life;
  readonly work: () => Promise<unknown>;
  readonly answer: (outcome: Promise<unknown>) => void;
}

export function createDisk(timeline: Timeline, random: Random, durable: Store): Disk {
  const journal = new Map<EventId, Journaled>();
  const intents = new Map<ActionId, ActionRecord>();
  const bans: Ban[] = [];
  let unit: 's' | 'ms' | undefined;
  let callback: string | undefined;
  let line: Job[] = [];
  let syncing = false;
  let syncMs = 1;
  let refusal: string | undefined;

  const keep = (row: Journaled | 'duplicate'): void => {
    if (row !== 'duplicate') journal.set(row.event.id, row);
  };

  const sync = (): void => {
    if (syncing || line.length === 0) return;
    syncing = true;
    timeline.after(random() * syncMs, () => {
      const group = line;
      line = [];
      syncing = false;
      for (const { life, work, answer } of group) if (life.alive) answer(work());
      sync();
    });
  };

  return {
    durable,
    journal,
    intents,
    failWith(reason) {
      refusal = reason;
    },
    slowness(ms) {
      syncMs = ms;
    },
    open(life) {
      const write = <T>(what: string, work: () => Promise<T>): Promise<T> =>
        pass(what, () => (refusal === undefined ? work() : Promise.reject(new StoreError(refusal))));
      const pass = <T>(what: string, work: () => Promise<T>): Promise<T> =>
        life.cross(
          what,
          () =>
            new Promise<T>((resolve) => {
              // The job's own outcome, whatever its type, is what its one caller waits for.
              line.push({ life, work, answer: (outcome) => resolve(outcome as Promise<T>) });
              sync();
            }),
        );
      return {
        store: {
          journal: {
            append: (events) =>
              write('append', async () => {
                const rows = await durable.journal.append(events);
                for (const row of rows) keep(row);
                return rows;
              }),
            undone: (limit, afterSeq) => pass('undone', () => durable.journal.undone(limit, afterSeq)),
            read: (query) => pass('read', () => durable.journal.read(query)),
            find: (id) => pass('find', () => durable.journal.find(id)),
          },
          lanes: {
            load: (lane) => pass('load', () => durable.lanes.load(lane)),
            list: () => pass('list', () => durable.lanes.list()),
            commit: (commit) =>
              write('commit', async () => {
                const fresh = await durable.lanes.commit(commit);
                for (const record of commit.actions)
                  if (fresh.includes(record.action.id)) intents.set(record.action.id, record);
                return fresh;
              }),
          },
          actions: {
            open: () => pass('open actions', () => durable.actions.open()),
            mark: (id, attempt, at) => write('mark', () => durable.actions.mark(id, attempt, at)),
            settle: (id, event, lane) =>
              write('settle', async () => {
                const row = await durable.actions.settle(id, event, lane);
                keep(row);
                return row;
              }),
            find: (id) => pass('find action', () => durable.actions.find(id)),
          },
        },
        operator: {
          bans: () => bans,
          ban: (ban) =>
            write('ban', async () => {
              if (!bans.some(({ action }) => action === ban.action)) bans.push(ban);
            }),
          timestampUnit: () => unit,
          lockTimestampUnit: (seen) =>
            write('lock unit', async () => {
              unit = seen;
            }),
          callback: () => callback,
          rememberCallback: (endpoint) =>
            write('callback', async () => {
              callback = endpoint;
            }),
        },
      };
    },
  };
}
