import { describeError } from '../errors.ts';
import type { EdgeRule } from './edge-rule.ts';
import type { Lane } from './lane.ts';
import type { LaneRules } from './lane-rules.ts';
import type { LaneState } from './lane-state.ts';
import { perceive } from './perceive.ts';
import type { Journal, Log, PastDeaths, Whereabouts } from './ports.ts';
import { reaches } from './reaches.ts';

/** Stream rules of the lane that remember something and have not been started. */
export const coldRules = (lane: Lane, rules: LaneRules): readonly EdgeRule[] =>
  lane.hasHistory
    ? rules.rules.streaming.filter(
        (edge) => edge.definition.remembers !== undefined && !lane.streams.has(edge),
      )
    : [];

/**
 * Muted replay: shows a stream rule the events that its memory reaches back to, and drops what it does about them,
 * because it was done then. What it derives from other events (`publishers.changed`) is not in the journal and stays
 * forgotten.
 */
export async function warmUp(
  lane: Lane,
  state: LaneState,
  rules: LaneRules,
  edges: readonly EdgeRule[],
  {
    journal,
    log,
    now,
    whereabouts,
    setAside,
  }: {
    readonly journal: Journal;
    readonly log: Log;
    readonly now: number;
    readonly whereabouts: Whereabouts;
    readonly setAside: PastDeaths['setAside'];
  },
): Promise<void> {
  const first = lane.first;
  for (const edge of edges) {
    const { bot, bound, definition } = edge;
    const room = rules.view(bot, bound.mode);
    const reachMs = reachOf(edge, log);
    const rows = await journal.read({
      lane: lane.key,
      types: definition.hears,
      fromAt: Math.min(now, first?.event.at ?? now) - reachMs,
      ...(first && { beforeSeq: first.seq }),
    });
    try {
      for (const { seq, event } of rows) {
        if (setAside.get(event.id)?.has(edge.identity)) continue;
        state.now = event.at;
        const perceived = perceive(state, event);
        whereabouts.handling(seq);
        whereabouts.running(edge.number);
        if (reaches(edge, perceived, room)) lane.streams.push(edge, perceived, room);
      }
    } catch (error) {
      // It will throw again on its next event, and then its wall takes note.
      lane.streams.drop(edge);
      log.warn(
        { bot: bot.name, rule: bound.id, error: describeError(error) },
        'A rule threw while it was warmed up.',
      );
    } finally {
      whereabouts.running(0);
    }
  }
}

/** How far back the rule's memory reaches, ms; an author's function that does not say so reaches nowhere. */
function reachOf({ bot, bound, definition }: EdgeRule, log: Log): number {
  let reachMs: unknown;
  try {
    reachMs = definition.remembers?.(bound.options);
  } catch (error) {
    reachMs = error;
  }
  if (typeof reachMs === 'number' && Number.isFinite(reachMs) && reachMs >= 0) return reachMs;
  log.warn(
    { bot: bot.name, rule: bound.id, error: describeError(reachMs) },
    'A rule does not say how far back it remembers, in ms: it begins with nothing.',
  );
  return 0;
}
