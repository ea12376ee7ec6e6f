import type { ActionId } from '../domain/ids.ts';
import type { LaneState } from './lane-state.ts';
import type { KeptResource } from './records.ts';

/** The resource that an action of ours started, with the name of its part. */
export function resourceByStart(
  state: LaneState,
  action: ActionId,
):
  | {
      readonly part: string;
      readonly record: KeptResource;
      readonly kind: KeptResource['kind'];
      readonly phase: KeptResource['phase'];
    }
  | undefined {
  for (const [part, record] of state.resources) {
    if (record.startedBy === action) return { part, record, kind: record.kind, phase: record.phase };
  }
  return undefined;
}
