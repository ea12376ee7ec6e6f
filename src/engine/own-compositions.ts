import type { ActionId } from '../domain/ids.ts';
import type { LaneState } from './lane-state.ts';
import type { KeptResource } from './records.ts';
import { resourcePart } from './resource-part.ts';
import { without } from './without.ts';

/** How long a start that is no longer in the records may still show a stream: longer than notifications are repeated. */
const STRAY_MS = 3_600_000;

/** A composition with the tag of one of our starts is on the air. Gives false where that was known. */
export function adoptComposition(state: LaneState, start: ActionId, streamId: string): boolean {
  const ours = [...state.resources].filter(([, { startedBy }]) => startedBy === start);
  if (ours.some(([, { platformId }]) => platformId === streamId)) return false;
  const [first] = ours;
  if (first) {
    const [part, resource] = first;
    if (resource.kind !== 'composition') return false;
    if (resource.platformId === undefined)
      state.resources.set(part, { ...resource, phase: 'running', platformId: streamId });
    else keepExtra(state, part, resource, streamId);
    return true;
  }
  const stray = state.strays.get(start);
  if (!stray) return false;
  const { bot, rule, key, kind, spec } = stray;
  const late = { bot, rule, key, kind, spec, shadow: false, startedBy: start } as const;
  if (state.resources.has(stray.resource)) keepExtra(state, stray.resource, late, streamId);
  else state.resources.set(stray.resource, { ...late, phase: 'running', platformId: streamId });
  return true;
}

/**
 * A second one of what is there already, made by a request that was taken for lost: it gets a name of its own, which
 * nobody wishes for, and so its keeper ends it.
 */
export function keepExtra(
  state: LaneState,
  part: string,
  of: Omit<KeptResource, 'phase'>,
  platformId: string,
): void {
  state.resources.set(`${part} extra ${platformId}`, {
    ...without(without(of, 'pending'), 'unwantedSince'),
    key: `${of.key} extra ${platformId}`,
    phase: 'running',
    platformId,
  });
}

/** Its record is gone; should a stream of its start appear after all, it is this keeper's. */
export function rememberStart(state: LaneState, { startedBy, ...of }: KeptResource): void {
  if (of.kind !== 'composition' || of.shadow || state.strays.has(startedBy)) return;
  if ([...state.resources.values()].some((other) => other.startedBy === startedBy)) return;
  const { bot, rule, key, kind, spec } = of;
  const resource = resourcePart({ bot, rule, key, shadow: false });
  state.strays.set(startedBy, { bot, rule, key, kind, spec, resource, until: state.time + STRAY_MS });
}
