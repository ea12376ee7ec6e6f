import type { Action, OutcomeKind } from '../../src/domain/action.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { ActionSettled, UsherEvent } from '../../src/domain/event.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine, EngineOptions } from '../../src/engine/engine.ts';
import type { ActionRecord, Ban } from '../../src/engine/ports.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import { memoryStore, type MemoryStore } from '../../src/store/memory-store.ts';
import { rest, virtualClock, type VirtualClock } from './virtual-clock.ts';

/** An engine on a memory store and a virtual clock, with everything that it decided. */
export interface Stage {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly clock: VirtualClock;
  /** All records, in the order of their commits. */
  readonly decided: ActionRecord[];
  /** What the outbox was given. */
  readonly intents: ActionRecord[];
  readonly logged: { readonly message: string; readonly data: object }[];
  readonly bans: Ban[];
  /** Accepts events one call each and waits until all is handled. */
  readonly feed: (...events: readonly UsherEvent[]) => Promise<void>;
  /** Plays the outbox for one action. */
  readonly settle: (
    action: Action,
    outcome?: OutcomeKind,
    result?: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** A new engine on the same store, as after a crash. */
  readonly restart: (bots?: readonly Bot[]) => Promise<Stage>;
}

export async function stage(
  bots: readonly Bot[],
  options: Partial<EngineOptions> & { readonly store?: MemoryStore; readonly clock?: VirtualClock } = {},
): Promise<Stage> {
  const clock = options.clock ?? virtualClock();
  const store = options.store ?? memoryStore({ now: () => clock.now() });
  const decided: ActionRecord[] = [];
  const intents: ActionRecord[] = [];
  const logged: { readonly message: string; readonly data: object }[] = [];
  const bans: Ban[] = [];
  const note = (data: object, message: string): void => void logged.push({ data, message });
  const engine = createEngine({
    journal: store.journal,
    lanes: store.lanes,
    sink: { enqueue: (records) => void intents.push(...records) },
    clock,
    bots,
    log: { info: note, warn: note, error: note },
    bans: () => bans,
    ...options,
  });
  engine.bus.decisions$.subscribe((record) => void decided.push(record));
  await engine.start();
  await rest();
  return {
    engine,
    store,
    clock,
    decided,
    intents,
    logged,
    bans,
    feed: async (...events) => {
      for (const event of events) await engine.accept([event]);
      await rest();
    },
    settle: async (action, outcome = 'performed', result = {}) => {
      const lane = decided.find((record) => record.action.id === action.id)?.lane ?? 'daemon';
      const event = withId<ActionSettled>({
        type: 'action.settled',
        at: clock.now(),
        seenAt: clock.now(),
        source: 'outcome',
        ...(action.place && { place: action.place }),
        action: action.id,
        actionType: action.type,
        bot: action.bot,
        rule: action.rule,
        outcome,
        detail: '',
        result,
      });
      const row = await store.actions.settle(action.id, event, lane);
      if (row !== 'duplicate') engine.deliver([row]);
      await rest();
    },
    restart: async (next = bots) => {
      await engine.stop();
      return stage(next, { ...options, store, clock });
    },
  };
}

/** What was decided, as `type by rule → outcome`. */
export const told = (records: readonly ActionRecord[]): readonly string[] =>
  records.map(({ action, settled }) => `${action.type} by ${action.rule} → ${settled?.outcome ?? 'open'}`);
