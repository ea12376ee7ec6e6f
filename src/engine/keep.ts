import type { ActionDraft } from '../domain/action.ts';
import type { ActionId } from '../domain/ids.ts';
import type { PlaceRef } from '../domain/place.ts';
import type { DesiredResource } from '../plugin/definitions.ts';
import { canonicalJson } from './canonical-json.ts';
import type { KeeperRule } from './edge-rule.ts';
import { LONGEST_PAUSE_MS, pause } from './fold-settled.ts';
import type { LaneState } from './lane-state.ts';
import type { KeptResource } from './records.ts';
import { resourcePart } from './resource-part.ts';
import { without } from './without.ts';

/** Signs a draft for the outbox; undefined when the keeper may not do it. */
export type Sign = (draft: ActionDraft) => ActionId | undefined;

/**
 * One step of a keeper in its place: what ought to be minus what is owned, as actions, with graces. It looks at the
 * difference alone, so it does not matter which events were lost, doubled or late. Gives when to look again, ms since
 * 1970, or null.
 */
export function keep(
  state: LaneState,
  place: PlaceRef,
  keeper: KeeperRule,
  desired: readonly DesiredResource[],
  sign: Sign,
): number | null {
  const { bot, bound, definition } = keeper;
  const shadow = bound.mode === 'shadow';
  const prefix = resourcePart({ bot: bot.name, rule: bound.id, key: '', shadow });
  const grace = checkedGrace(definition.grace(bound.options));
  const wanted = new Map(desired.map((resource) => [prefix + resource.key, resource]));
  let next = Infinity;
  const due = (at: number): boolean => {
    if (at > state.time) next = Math.min(next, at);
    return at <= state.time;
  };
  const rested = (part: string, wish?: DesiredResource): boolean => {
    const pause = state.pauses.get(part);
    if (!pause) return true;
    const other = wish && pause.spec !== undefined && pause.spec !== canonicalJson(wish.spec);
    const until = other ? pause.otherBefore : pause.notBefore;
    return until > state.time + LONGEST_PAUSE_MS || due(until);
  };
  const sent = (part: string, draft: ActionDraft, then: (id: ActionId) => void): void => {
    const id = sign(draft);
    if (id !== undefined) return then(id);
    pause(state, part);
    rested(part);
  };

  for (const part of state.wishes.keys()) {
    if (part.startsWith(prefix) && !wanted.has(part)) state.wishes.delete(part);
  }
  for (const [part, owned] of state.resources) {
    if (!part.startsWith(prefix) || owned.pending !== undefined || owned.phase !== 'running') continue;
    const wish = wanted.get(part);
    const spec = wish && canonicalJson(wish.spec);
    if (spec === owned.spec && owned.broken !== true) {
      if (owned.unwantedSince !== undefined) state.resources.set(part, wantedAgain(owned));
    } else if (
      spec !== undefined &&
      spec !== owned.spec &&
      wish?.kind === 'composition' &&
      owned.kind === 'composition'
    ) {
      // Also after an update that failed: an input that had ended fails one, and viewers need not see a cut for that.
      sent(part, updateOf(place, owned, wish), (id) =>
        state.resources.set(part, {
          ...without(wantedAgain(owned), 'broken'),
          spec,
          ...(!shadow && { pending: id }),
        }),
      );
    } else {
      // Wanted, but not as it is: nothing to wait for. Unwanted: it outlives its wish by the grace.
      const since = wish ? state.time - grace.stopMs : begunBy(owned.unwantedSince, state.time);
      if (rested(part) && due(since + grace.stopMs)) {
        sent(part, stopOf(place, owned, wish ? 'replaced' : 'unwanted'), (id) => {
          if (shadow) state.resources.delete(part);
          else state.resources.set(part, { ...owned, phase: 'stopping', pending: id });
        });
      } else if (!wish && owned.unwantedSince !== since) {
        state.resources.set(part, { ...owned, unwantedSince: since });
      }
    }
  }
  for (const [part, wish] of wanted) {
    if (state.resources.has(part)) continue;
    const wished = state.wishes.get(part)?.since;
    const since = begunBy(wished, state.time);
    if (rested(part, wish) && due(since + grace.startMs)) {
      sent(part, startOf(place, bound.id, wish), (id) => {
        state.wishes.delete(part);
        state.resources.set(part, {
          key: wish.key,
          rule: bound.id,
          bot: bot.name,
          kind: wish.kind,
          spec: canonicalJson(wish.spec),
          shadow,
          startedBy: id,
          ...(wish.kind === 'transcoding' && { origin: wish.spec.streamId }),
          ...(shadow ? { phase: 'running', platformId: `shadow:${id}` } : { phase: 'starting', pending: id }),
        });
      });
    } else if (wished !== since) {
      state.wishes.set(part, { since });
    }
  }
  return next === Infinity ? null : next;
}

/** Since when something waits; a time that lies ahead was written by a clock that has been set back since. */
const begunBy = (since: number | undefined, now: number): number => Math.min(since ?? now, now);

function checkedGrace(grace: { readonly startMs: number; readonly stopMs: number }): typeof grace {
  const { startMs, stopMs } = grace;
  if (Number.isFinite(startMs) && Number.isFinite(stopMs)) return { startMs, stopMs };
  throw new TypeError(`The keeper's grace is ${startMs} and ${stopMs}; both are times in ms.`);
}

const wantedAgain = (owned: KeptResource): KeptResource => without(owned, 'unwantedSince');

const startOf = (place: PlaceRef, rule: string, wish: DesiredResource): ActionDraft =>
  wish.kind === 'transcoding'
    ? { type: 'transcoding.start', place, resource: `${rule}/${wish.key}`, spec: wish.spec, because: [] }
    : { type: 'composition.start', place, resource: `${rule}/${wish.key}`, spec: wish.spec, because: [] };

const updateOf = (
  place: PlaceRef,
  owned: KeptResource,
  wish: DesiredResource & { readonly kind: 'composition' },
): ActionDraft => ({
  type: 'composition.update',
  place,
  resource: `${owned.rule}/${owned.key}`,
  compositionId: owned.platformId ?? '',
  spec: wish.spec,
  because: [],
});

/** The end of a resource; also used for those whose keeper is gone. */
export function stopOf(place: PlaceRef, owned: KeptResource, reason: string): ActionDraft {
  const resource = `${owned.rule}/${owned.key}`;
  const id = owned.platformId ?? '';
  return owned.kind === 'transcoding'
    ? { type: 'transcoding.stop', place, resource, transcodingId: id, reason, because: [] }
    : { type: 'composition.stop', place, resource, compositionId: id, reason, because: [] };
}
