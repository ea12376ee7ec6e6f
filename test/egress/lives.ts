import { expect } from 'vitest';
import type { Actions, Clock } from '../../src/engine/ports.ts';
import type { Perform } from '../../src/egress/deed.ts';
import { createOutbox, type Outbox } from '../../src/egress/outbox.ts';
import type { MemoryStore } from '../../src/store/memory-store.ts';
import type { VirtualClock } from './virtual-clock.ts';

export const DEADLINE_MS = 10_000;
export const GRACE_MS = 30_000;
/** What is left of GRACE after the deadline and the time that a mark may take. */
export const LATEST_LANDING_MS = 17_000;
const STORE_MS = 3;

/**
 * One daemon after the other on the same store, each killed in the middle of whatever it does, as kill -9 does: it gets
 * no answer any more, no timer of its runs, and what it sent may still arrive. The last one lives until all is done.
 */
export async function runLives(given: {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  readonly perform: Perform;
  readonly lives: readonly number[];
  /** Hands the intents to the first life. */
  readonly intend: (outbox: Outbox) => Promise<void>;
}): Promise<void> {
  const { clock, store, perform, lives, intend } = given;
  const never = new Promise<never>(() => {});

  const live = () => {
    let alive = true;
    const slow = async <T>(work: () => Promise<T>): Promise<T> => {
      await new Promise<void>((resolve) => void clock.after(STORE_MS, resolve));
      return alive ? work() : never;
    };
    const ownClock: Clock = { ...clock, after: (ms, work) => clock.after(ms, () => alive && work()) };
    const actions: Actions = {
      open: () => slow(() => store.actions.open()),
      mark: (...args) => slow(() => store.actions.mark(...args)),
      settle: (...args) => slow(() => store.actions.settle(...args)),
      find: (id) => slow(() => store.actions.find(id)),
    };
    const outbox = createOutbox({
      actions,
      perform,
      budget: { take: () => Promise.resolve(), report() {}, rate: 1 },
      clock: ownClock,
      onSettled() {},
      log: { info() {}, warn() {}, error: (data) => expect.fail(JSON.stringify(data)) },
      count() {},
      deadlineMs: DEADLINE_MS,
      graceMs: GRACE_MS,
    });
    return { outbox, kill: () => (alive = false) };
  };

  let { outbox, kill } = live();
  void outbox.start();
  await intend(outbox);
  for (const lifeMs of lives) {
    await clock.advance(lifeMs);
    kill();
    ({ outbox, kill } = live());
    void outbox.start();
  }
  await clock.advance(3_600_000);
  expect(outbox.stats()).toEqual({ open: 0, running: 0, inDoubt: 0 });
  expect(await store.actions.open()).toEqual([]);
}
