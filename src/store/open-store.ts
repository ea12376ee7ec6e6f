import type { UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Plain } from '../domain/memory.ts';
import type { Actions, Clock, Journal, Journaled, Lanes } from '../engine/ports.ts';
import { StoreError } from '../errors.ts';
import { checkBeside } from './check-beside.ts';
import { sameThread } from './executor.ts';
import { failureMessage, isDamage, isFault } from './explain-failure.ts';
import { groupJobs } from './group-jobs.ts';
import { openKernel, type KernelOptions } from './kernel.ts';
import { CHECKED_FIRST_BYTES, sizeOf } from './quick-check.ts';
import type { Log } from './log.ts';
import { pruneAll, pruneLimits } from './retention.ts';
import { actionRow, eventRow, readAction, readEvent } from './rows.ts';
import type { Store } from './store.ts';
import { workerThread } from './worker-thread.ts';

/** Where the store is and who runs it. */
export interface StoreOptions {
  /** The database; made with its directory when it is not there. */
  readonly path: string;
  readonly clock: Clock;
  /** Hears what has no caller to be told to. */
  readonly log?: Log;
  /** `worker` keeps a slow disk away from the event loop; `same` is for tests and short programs. */
  readonly thread?: 'worker' | 'same';
  /** The worker's file, where it is not the one beside this file. */
  readonly workerFile?: URL;
  /** With `same` only. */
  readonly kernel?: KernelOptions;
}

/** How long after a failed write the store tries whether writing works again, ms. */
const PROBE_MS = 1_000;

const SILENT: Log = { warn: () => undefined };

/**
 * Opens the durable store. Throws `StoreError` when the file is damaged, older than what it had reached, of a newer
 * schema, or another daemon's. Close it before the process exits.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { path, clock, log = SILENT } = options;
  const worker = options.thread === 'same' ? undefined : (options.workerFile ?? ownWorker());
  const large = sizeOf(path) > CHECKED_FIRST_BYTES;
  const executor = worker ? await workerThread(worker, path) : sameThread(openKernel(path, options.kernel));
  let reason: string | undefined;
  /** Set once and for good: a broken file gets no better by being written to. */
  let damage: string | undefined;
  let closed = false;
  let cancelProbe: (() => void) | undefined;

  const opened = { at: clock.now(), monotonic: clock.monotonic() };
  /** The time for retention: a wall clock that jumps ahead must not make all history old. */
  const steadyNow = (): number => Math.min(clock.now(), opened.at + clock.monotonic() - opened.monotonic);

  const { call: send, close } = groupJobs(
    executor,
    {
      wrote(failure) {
        if (!failure) reason = undefined;
        else if (isFault(failure.code)) {
          reason = failureMessage(path, failure.message, failure.code);
          cancelProbe ??= clock.after(PROBE_MS, probe);
        }
      },
      lost(message) {
        reason = message;
      },
    },
    ({ message, code }) => {
      const told = failureMessage(path, message, code);
      if (isDamage(code)) damage ??= told;
      return new StoreError(told);
    },
  );
  const call: typeof send = (name, ...args) =>
    damage === undefined ? send(name, ...args) : Promise.reject(new StoreError(damage));

  const stopCheck =
    worker && large
      ? checkBeside({ file: worker, path, clock, log, damaged: (message) => (damage ??= message) })
      : undefined;

  function probe(): void {
    cancelProbe = undefined;
    // Its outcome is seen above like any other write's: it clears the reason or plans the next probe.
    if (!closed) call('probe').catch(() => undefined);
  }

  const journal: Journal = {
    async append(events) {
      const positions = await call(
        'append',
        events.map(({ lane, event }) => eventRow(lane, event)),
      );
      return events.map(({ lane, event }, index) => journaled(positions[index], lane, event));
    },
    undone: async (limit, afterSeq = 0) => (await call('undone', limit, afterSeq)).map(readEvent),
    read: async (query) => (await call('read', query)).map(readEvent),
    async find(id) {
      const row = await call('find', id);
      return row && readEvent(row);
    },
  };

  const lanes: Lanes = {
    async load(lane) {
      const row = await call('loadLane', lane);
      if (!row) return undefined;
      const parts = Object.fromEntries(row.parts.map(([name, body]) => [name, JSON.parse(body) as Plain])); // as written
      return { lane, position: row.position, wakeAt: row.wakeAt, parts };
    },
    commit: async ({ lane, handled, parts, wakeAt, actions }) =>
      call(
        'commitLane',
        lane,
        handled,
        Object.entries(parts).map(([name, part]) => [name, part === null ? null : JSON.stringify(part)]),
        wakeAt,
        actions.map((record) => actionRow(record, clock.now())),
      ),
    list: async () =>
      // Only lane keys are written there.
      (await call('listLanes')) as readonly { lane: LaneKey; wakeAt: number | null }[],
  };

  const actions: Actions = {
    open: async () =>
      (await call('openActions')).map((row) => ({
        ...readAction(row),
        attempts: row.attempts,
        markedAt: row.markedAt,
      })),
    mark: (id, attempt, at) => call('markAction', id, attempt, at),
    async settle(id, event, lane) {
      const { outcome, detail } = event;
      const row = eventRow(lane, event);
      return journaled(await call('settleAction', id, row, outcome, detail, clock.now()), lane, event);
    },
    async find(id) {
      const row = await call('findAction', id);
      if (!row) return undefined;
      const outcome = row.outcome === null ? {} : { outcome: row.outcome, detail: row.detail ?? '' };
      return { ...readAction(row), ...outcome };
    },
  };

  return {
    journal,
    lanes,
    actions,
    readiness: { name: 'store', reason: () => (closed ? 'The store is closed.' : (damage ?? reason)) },
    prune: (retention) => pruneAll(pruneLimits(retention, steadyNow()), (step) => call('prune', step)),
    async close() {
      closed = true;
      cancelProbe?.();
      await Promise.all([stopCheck?.(), close()]);
    },
  };
}

/** The event in memory is the one that was written: no need to read it back. */
const journaled = (
  seq: number | null | undefined,
  lane: LaneKey,
  event: UsherEvent,
): Journaled | 'duplicate' => (typeof seq === 'number' ? { seq, lane, event } : 'duplicate');

/** The built worker beside this file; from sources, only a Node that reads TypeScript by itself can start one. */
function ownWorker(): URL | undefined {
  if (!import.meta.url.endsWith('.ts')) return new URL('store-worker.js', import.meta.url);
  const readsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript);
  return readsTypeScript ? new URL('store-worker.ts', import.meta.url) : undefined;
}
