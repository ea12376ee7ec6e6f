import type { Clock } from '../../src/engine/ports.ts';
import { memoryStore, type MemoryStore } from '../../src/store/memory-store.ts';

/** The memory store behind a disk that takes its time: one thing after the other, answered in that order, as SQLite does. */
export function slowStore(clock: Clock, takesMs: () => number): MemoryStore {
  const store = memoryStore({ now: () => clock.now() });
  let tail: Promise<unknown> = Promise.resolve();
  const slowly =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      const turn = tail.then(async () => {
        const ms = takesMs();
        if (ms > 0) await new Promise<void>((resolve) => void clock.after(ms, resolve));
        return work(...args);
      });
      tail = turn.catch(() => undefined);
      return turn;
    };
  const { journal, lanes, actions } = store;
  return {
    ...store,
    journal: { ...journal, append: slowly(journal.append) },
    lanes: { ...lanes, load: slowly(lanes.load), commit: slowly(lanes.commit) },
    actions: { ...actions, mark: slowly(actions.mark), settle: slowly(actions.settle) },
  };
}
