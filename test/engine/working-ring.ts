import type { Action } from '../../src/domain/action.ts';
import type { ActionSettled } from '../../src/domain/event.ts';
import { createRequestBudget } from '../../src/egress/budget.ts';
import type { Deed } from '../../src/egress/deed.ts';
import { done, type Fate } from '../../src/egress/fate.ts';
import { createOutbox, type Outbox } from '../../src/egress/outbox.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine, EngineOptions } from '../../src/engine/engine.ts';
import type { Clock } from '../../src/engine/ports.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import type { Store } from '../../src/store/store.ts';

/** A request as it left. */
export interface Sent {
  readonly action: Action;
  /** Monotonic ms. */
  readonly at: number;
}

/** The real engine and the real outbox on a store, with a platform of one's own. */
export interface WorkingRing {
  readonly engine: Engine;
  readonly outbox: Outbox;
  /** All requests in the order in which they left, repeated ones too. */
  readonly sent: readonly Sent[];
  readonly settled: readonly ActionSettled[];
}

export async function workingRing(
  bots: readonly Bot[],
  of: {
    readonly clock: Clock;
    readonly store: Pick<Store, 'journal' | 'lanes' | 'actions'>;
    /** What the platform makes of a request; never resolves where it hangs. */
    readonly answer?: (action: Action) => Promise<Fate>;
    readonly perSecond?: number;
    readonly engine?: Partial<EngineOptions>;
  },
): Promise<WorkingRing> {
  const { clock, store, answer = async () => done('did it') } = of;
  const sent: Sent[] = [];
  const settled: ActionSettled[] = [];
  const quiet = { info() {}, warn() {}, error() {} };
  const perform = (action: Action): Deed => ({
    repeatable: true,
    about: 'chat',
    freshForMs: 86_400_000,
    asksPlatform: true,
    call({ signal }) {
      sent.push({ action, at: clock.monotonic() });
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
        answer(action).then(resolve, reject);
      });
    },
  });
  const outbox = createOutbox({
    actions: store.actions,
    perform,
    budget: createRequestBudget({ clock, maxPerSecond: of.perSecond ?? 10_000 }),
    clock,
    onSettled: (row) => {
      if (row.event.type === 'action.settled') settled.push(row.event);
      engine.deliver([row]);
    },
    log: quiet,
    count() {},
    random: () => 0.5,
  });
  const engine = createEngine({
    journal: store.journal,
    lanes: store.lanes,
    sink: outbox,
    clock,
    bots,
    log: quiet,
    ...of.engine,
  });
  await engine.start();
  await outbox.start();
  return { engine, outbox, sent, settled };
}
