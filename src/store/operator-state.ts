import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import type { Clock, OperatorState, Readiness } from '../engine/ports.ts';
import { describeError, StoreError } from '../errors.ts';
import { jsonFile } from './json-file.ts';
import type { Log } from './log.ts';
import { operatorDocument, type OperatorDocument } from './operator-document.ts';

/** The operator's state, with its health and its end. */
export interface OperatorStore extends OperatorState {
  readonly readiness: Readiness;
  /** What happened before, ms since 1970, may have been answered already: the journal was put back or repaired. */
  quietBefore(): number | undefined;
  /** Durable when it resolves. */
  keepQuietBefore(at: number): Promise<void>;
  /** Resolves when everything asked for is on the disk. */
  close(): Promise<void>;
}

/** How long after a failed write the next is tried, ms. */
const RETRY_MS = 5_000;

/**
 * Opens `operator.json` in `folder`, which is made when it is not there. What is asked for while a write runs goes into
 * the next one together. Throws `StoreError` when the file and its copy are both damaged.
 */
export async function openOperatorState(options: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<OperatorStore> {
  const { folder, clock, log } = options;
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'operator.json');
  const low = new Low<OperatorDocument>(jsonFile(path, operatorDocument, log), { bans: [] });
  await low.read();
  let reason: string | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;

  const write = async (): Promise<void> => {
    const now = clock.now();
    low.data.bans = low.data.bans.filter((ban) => ban.until > now);
    try {
      await low.write();
      reason = undefined;
    } catch (error) {
      cancelRetry ??= clock.after(RETRY_MS, retry);
      reason = `${path} cannot be written (${describeError(error)}). Check free room and permissions.`;
      throw new StoreError(reason, error);
    }
  };

  /** Durable with everything that was changed before the call. */
  const save = (): Promise<void> => {
    next ??= (async () => {
      await running?.catch(() => undefined); // told to those who asked for that write
      running = next;
      next = undefined;
      await write();
    })();
    return next;
  };

  function retry(): void {
    cancelRetry = undefined;
    save().catch(() => undefined); // told by `readiness`, and tried again
  }

  return {
    readiness: { name: 'operator state', reason: () => reason },
    bans() {
      const now = clock.now();
      return low.data.bans.filter((ban) => ban.until > now);
    },
    async ban(ban) {
      const known = low.data.bans.some(({ action }) => action === ban.action);
      if (!known) low.data.bans = [...low.data.bans, ban];
      await save();
    },
    timestampUnit: () => low.data.timestampUnit,
    async lockTimestampUnit(unit) {
      if (low.data.timestampUnit === unit && reason === undefined) return;
      low.data.timestampUnit = unit;
      await save();
    },
    quietBefore: () => low.data.quietBefore,
    async keepQuietBefore(at) {
      low.data.quietBefore = at;
      await save();
    },
    callback: () => low.data.callback,
    async rememberCallback(endpoint) {
      if (low.data.callback === endpoint && reason === undefined) return;
      low.data.callback = endpoint;
      await save();
    },
    async close() {
      cancelRetry?.();
      await next?.catch(() => undefined); // told to those who asked
      await running?.catch(() => undefined);
    },
  };
}
