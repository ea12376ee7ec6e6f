import type { ActionSettled } from '../domain/event.ts';
import { bury } from './bury.ts';
import { UNCHANGED, type Folded } from './folded.ts';
import type { LaneState } from './lane-state.ts';
import { keepExtra, rememberStart } from './own-compositions.ts';
import type { KeptResource } from './records.ts';
import { without } from './without.ts';

const FIRST_PAUSE_MS = 1_000;
/** A pause that seems longer was written by a clock that has been set back since: it is over. */
export const LONGEST_PAUSE_MS = 300_000;
/** How long the number of failures is remembered after the pause. */
const PAUSE_MEMORY_MS = 600_000;

const CHANGED: Folded = { changed: true, touched: [] };

/** What became of an action, as far as the place's knowledge depends on it: resources of keepers, and bans. */
export function foldSettled(state: LaneState, event: ActionSettled): Folded {
  if (event.actionType === 'member.ban' && event.outcome === 'performed') {
    return { changed: false, touched: [...state.streams.keys()] };
  }
  for (const [part, resource] of state.resources) {
    if (resource.pending !== event.action) continue;
    const settled = without(resource, 'pending');
    const worked = event.outcome === 'performed';
    if (event.actionType === 'transcoding.start' || event.actionType === 'composition.start') {
      if (worked) started(state, part, settled, event);
      else if (resource.phase === 'running') state.resources.set(part, settled);
      else notStarted(state, part, settled);
    } else if (event.actionType === 'composition.update') {
      state.resources.set(part, worked ? without(settled, 'broken') : { ...settled, broken: true });
      if (!worked) pause(state, part);
    } else if (worked) {
      state.resources.delete(part);
      stopped(state, resource, event);
    } else {
      state.resources.set(part, { ...settled, phase: 'running' });
      pause(state, part);
    }
    return CHANGED;
  }
  return UNCHANGED;
}

function started(state: LaneState, part: string, resource: KeptResource, event: ActionSettled): void {
  const platformId = event.result[resource.kind === 'transcoding' ? 'transcodingId' : 'compositionId'];
  if (platformId === undefined) return notStarted(state, part, resource);
  state.pauses.delete(part);
  if (resource.platformId !== undefined && resource.platformId !== platformId) {
    // Its stream told of itself first, and this is another: the request before was not lost.
    state.resources.set(part, resource);
    if (!state.tombstones.has(platformId)) keepExtra(state, part, resource, platformId);
    return;
  }
  // It may have ended before the answer to its start arrived.
  if (state.tombstones.has(platformId)) {
    state.resources.delete(part);
    rememberStart(state, resource);
  } else state.resources.set(part, { ...resource, phase: 'running', platformId });
}

function notStarted(state: LaneState, part: string, resource: KeptResource): void {
  state.resources.delete(part);
  pause(state, part, resource.spec);
  rememberStart(state, resource);
}

/** What we stopped is over, whether or not its end is told: a `started` that comes late revives nothing. */
function stopped(state: LaneState, resource: KeptResource, event: ActionSettled): void {
  if (resource.kind !== 'composition' || resource.platformId === undefined) return;
  bury(state, resource.platformId, { durationMs: null, reason: null, at: event.at, seenAt: event.seenAt });
  rememberStart(state, resource);
}

/** Lets a resource rest before the next try, longer each time; another spec need not wait for the failures of this one. */
export function pause(state: LaneState, part: string, spec?: string): void {
  const attempts = (state.pauses.get(part)?.attempts ?? 0) + 1;
  const notBefore = state.time + Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
  const otherBefore = state.time + FIRST_PAUSE_MS;
  state.pauses.set(part, {
    attempts,
    notBefore,
    otherBefore,
    until: notBefore + PAUSE_MEMORY_MS,
    ...(spec !== undefined && { spec }),
  });
}
