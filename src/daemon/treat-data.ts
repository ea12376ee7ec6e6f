import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bot } from '../plugin/bot.ts';
import type { Clock } from '../engine/ports.ts';
import { StoreError } from '../errors.ts';
import { backUp } from '../store/back-up.ts';
import { openLaneRebuild } from '../store/lane-rebuild.ts';
import { openOperatorState, type OperatorStore } from '../store/operator-state.ts';
import { sizeOf } from '../store/quick-check.ts';
import { openDatabase } from '../store/sqlite-driver.ts';
import { treatDatabase, type Note } from '../store/treat-database.ts';
import { lockWriter } from '../store/writer-lock.ts';
import { rebuildLanes } from './rebuild-lanes.ts';

export interface TreatDataParts {
  /** The data directory. */
  readonly folder: string;
  readonly clock: Clock;
  /** The rules in force, where the state of all lanes is to be made again from the journal. */
  readonly rebuild?: readonly Bot[] | undefined;
}

/** What the treatment of a data directory came to. */
export interface Treatment {
  /** Where the data lies as it was before. */
  readonly backup: string;
  readonly notes: readonly Note[];
}

/**
 * Checks a data directory, keeps a copy of it as it was, and mends what can be mended. Throws `StoreError` when a daemon
 * runs on it, when there is nothing to check, or when the copy cannot be made: nothing is changed then.
 */
export async function treatData({ folder, clock, rebuild }: TreatDataParts): Promise<Treatment> {
  const path = join(folder, 'usher.db');
  if (!existsSync(folder))
    throw new StoreError(`There is no data directory ${folder}. Name it with --data or --config.`);
  const unlock = lockWriter(path, openDatabase);
  try {
    const backup = backUp(folder, clock.now());
    const { notes, lanes, forgot } = treatDatabase(path, clock.now());
    const { operator, notes: ofOperator } = await treatOperator(folder, backup, clock);
    try {
      const more = forgot ? await keepQuiet(operator, clock.now()) : [];
      const made = rebuild === undefined ? lostLanes(lanes) : await rebuilt(path, rebuild, operator);
      return { backup, notes: [...notes, ...ofOperator, ...more, ...made] };
    } finally {
      await operator.close();
    }
  } finally {
    unlock();
  }
}

async function treatOperator(
  folder: string,
  backup: string,
  clock: Clock,
): Promise<{ readonly operator: OperatorStore; readonly notes: readonly Note[] }> {
  const notes: Note[] = [];
  const log = {
    warn: (_facts: object, message: string) => void notes.push({ kind: 'mended', text: message }),
  };
  const open = (): Promise<OperatorStore> => openOperatorState({ folder, clock, log });
  try {
    const operator = await open();
    if (notes.length === 0)
      notes.push({ kind: 'sound', text: `operator.json is sound: ${operator.bans().length} bans` });
    return { operator, notes };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    for (const file of ['operator.json', 'operator.json.bak']) rmSync(join(folder, file), { force: true });
    notes.push(
      {
        kind: 'lost',
        text: `operator.json and its copy could not be read: bans and settings begin empty (${error.message})`,
      },
      {
        kind: 'todo',
        text: `correct ${join(backup, 'operator.json')} by hand and put it back while usher is stopped.`,
      },
    );
    return { operator: await open(), notes };
  }
}

/** Replies that may have been given are not given again; what cannot be told apart is for people to look at. */
async function keepQuiet(operator: OperatorStore, now: number): Promise<readonly Note[]> {
  await operator.keepQuietBefore(now);
  return [
    {
      kind: 'mended',
      text: 'what happened before now is not answered again: messages, notices and purges for it are refused, hiding and strikes go on.',
    },
    {
      kind: 'todo',
      text: 'compositions that were started in the time that is gone are not known: end those that nobody needs.',
    },
  ];
}

function lostLanes(lanes: readonly string[]): readonly Note[] {
  if (lanes.length === 0) return [];
  const more = lanes.length > 5 ? ` and ${(lanes.length - 5).toLocaleString('en')} more` : '';
  return [
    { kind: 'lost', text: `what was known of ${lanes.slice(0, 5).join(', ')}${more} could not be read` },
    {
      kind: 'todo',
      text: '`usher doctor --rebuild` makes what is known of all lanes again, from the journal.',
    },
  ];
}

async function rebuilt(
  path: string,
  bots: readonly Bot[],
  operator: OperatorStore,
): Promise<readonly Note[]> {
  if (sizeOf(path) === 0) return [];
  const source = openLaneRebuild(path);
  try {
    const started = performance.now();
    const { events, lanes } = await rebuildLanes(source, { bots, bans: operator.bans() });
    const seconds = (performance.now() - started) / 1000;
    const speed = Math.round(events / Math.max(seconds, 0.001));
    const text =
      `the state of ${lanes.toLocaleString('en')} lanes is made again from ${events.toLocaleString('en')} events ` +
      `(${seconds.toFixed(1)} s, ${speed.toLocaleString('en')} a second); what came before the journal’s first event is not in it.`;
    return [{ kind: 'mended', text }];
  } finally {
    source.close();
  }
}
