import type { Pruned, Retention } from './store.ts';
import type { PruneStep, Tables } from './tables.ts';

/** The platform may tell the same fact again within a day: ids younger than this are never forgotten. */
const DEDUPE_MS = 24 * 3_600_000;

type PruneLimits = Omit<PruneStep, 'afterSeq' | 'afterIntent'>;

/** What a retention means at `now`: which rows may go. */
export function pruneLimits(retention: Retention, now: number): PruneLimits {
  return {
    before: now - Math.max(retention.olderThanMs, DEDUPE_MS),
    overflowBefore: now - DEDUPE_MS,
    maxRows: retention.maxRows,
  };
}

/** Prunes step by step, so that other writes pass between the steps. */
export async function pruneAll(
  limits: PruneLimits,
  prune: (step: PruneStep) => Promise<ReturnType<Tables['prune']>>,
): Promise<Pruned> {
  let events = 0;
  let actions = 0;
  let from: Pick<PruneStep, 'afterSeq' | 'afterIntent'> | null = { afterSeq: 0, afterIntent: 0 };
  while (from !== null) {
    const step: ReturnType<Tables['prune']> = await prune({ ...limits, ...from });
    events += step.events;
    actions += step.actions;
    from = step.next;
  }
  return { events, actions };
}
