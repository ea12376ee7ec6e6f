import { getHeapStatistics } from 'node:v8';
import type { Engine } from '../engine/engine.ts';
import type { Clock, Log } from '../engine/ports.ts';

const EVERY_MS = 30_000;
/** Parts of the heap's limit at which people are told, and below which they may be told again. */
const TELL_AT = [0.7, 0.85, 0.95];
const WELL_BELOW = 0.6;
const MOST_NAMED = 5;

/** The heap of this process, in bytes. */
export interface HeapUse {
  readonly used: number;
  readonly limit: number;
}

const heapNow = (): HeapUse => {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return { used, limit };
};

/**
 * Tells in the log when memory runs short, with the rules that remember most. What a plugin keeps in variables of its
 * own can be measured by nobody: it is in the sum alone.
 */
export function watchMemory(of: {
  readonly engine: Pick<Engine, 'largestMemories' | 'stats'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly heap?: () => HeapUse;
}): { readonly stop: () => void } {
  const { engine, clock, log, heap = heapNow } = of;
  let told = 0;
  const look = (): void => {
    cancel = clock.after(EVERY_MS, look);
    const { used, limit } = heap();
    const part = used / limit;
    if (part < WELL_BELOW) told = 0;
    const reached = TELL_AT.findLast((level) => part >= level) ?? 0;
    if (reached <= told) return;
    told = reached;
    const { lanes, undone } = engine.stats();
    log.warn(
      { used, limit, lanes, undone, rules: engine.largestMemories(MOST_NAMED) },
      `memory runs short: ${Math.round(part * 100)} % of the heap is used. \`rules\` remember most; if they are small, look ` +
        'at plugins that keep things in variables of their own. NODE_OPTIONS=--max-old-space-size=MEGABYTES gives more',
    );
  };
  let cancel = clock.after(EVERY_MS, look);
  return { stop: () => cancel() };
}
