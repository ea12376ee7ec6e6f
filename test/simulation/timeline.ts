import type { Random } from '../../src/sandbox/random.ts';

/** The only time of a simulation, and its scheduler: what falls due at the same moment runs in an order of the seed. */
export interface Timeline {
  /** Ms since the beginning. */
  now(): number;
  /** Runs `work` once, `delayMs` from now; the answer takes it back. */
  after(delayMs: number, work: () => void): () => void;
  /** Moves time on by `ms`, task by task; after each, whatever promises alone can do is done. */
  run(ms: number): Promise<void>;
}

interface Task {
  readonly due: number;
  /** Drawn, so that neighbours in time come in any order, and yet the same with the same seed. */
  readonly turn: number;
  readonly work: () => void;
  cancelled: boolean;
}

/** More tasks than this in one moment never come to an end. */
const MOST_IN_A_MOMENT = 100_000;

/** `turns` of the event loop settle whatever a task has set going: one for promises, more for what groups its work. */
export function createTimeline(random: Random, turns = 1): Timeline {
  const heap: Task[] = [];
  let now = 0;
  let inThisMoment = 0;

  const after = (delayMs: number, work: () => void): (() => void) => {
    const task: Task = { due: now + Math.max(0, delayMs), turn: random(), work, cancelled: false };
    push(heap, task);
    return () => {
      task.cancelled = true;
    };
  };

  const rest = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1)
      await new Promise<void>((resolve) => void setImmediate(resolve));
  };

  return {
    now: () => now,
    after,
    async run(ms) {
      const until = now + ms;
      await rest();
      for (let task = heap[0]; task !== undefined && task.due <= until; task = heap[0]) {
        pop(heap);
        if (task.cancelled) continue;
        inThisMoment = task.due > now ? 0 : inThisMoment + 1;
        if (inThisMoment > MOST_IN_A_MOMENT)
          throw new Error(`Time stands still at ${now} ms: something spins.`);
        now = Math.max(now, task.due);
        task.work();
        await rest();
      }
      now = until;
    },
  };
}

const before = (a: Task, b: Task): boolean => a.due < b.due || (a.due === b.due && a.turn < b.turn);

function push(heap: Task[], task: Task): void {
  let at = heap.push(task) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above]!;
    if (!before(task, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = task;
}

function pop(heap: Task[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    if (left === undefined) break;
    const below = right !== undefined && before(right, left) ? 2 * at + 2 : 2 * at + 1;
    const child = heap[below]!;
    if (!before(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}
