import type { ActionDraft } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { LaneState } from './lane-state.ts';
import type { Proposal } from './proposal.ts';
import { strikePoints } from './strike-points.ts';

/** JSON has no infinity. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** What a deed on our own state came to, and what follows from it. */
export interface Applied {
  readonly detail: string;
  readonly drafts: readonly ActionDraft[];
}

/** Counts a strike and takes the highest step of the ladder that the points now reach. */
export function applyStrike(
  state: LaneState,
  proposal: Proposal & { readonly draft: ActionDraft<'member.strike'> },
  event: UsherEvent,
  room: PlaceView,
): Applied | undefined {
  const { bot, mode, draft, rule } = proposal;
  const ladder = bot.ladders.get(draft.ladder);
  if (!ladder) return undefined;
  const { decay } = ladder;
  const part = `${mode}/${bot.name}/${draft.ladder}/${draft.member}`;
  const before = state.strikes.get(part);
  const left = strikePoints(before, ladder, state.now);
  const points = left + draft.points;
  // Time that has run towards the next decay goes on running.
  const at =
    before && decay && left > 0
      ? before.at + Math.max(0, Math.floor((state.now - before.at) / decay.everyMs)) * decay.everyMs
      : state.now;
  const until = decay ? at + Math.ceil(points / decay.points) * decay.everyMs : FOREVER;
  state.strikes.set(part, { points, at, until });
  const step = ladder.steps.findLast((one) => one.at <= points);
  const { member, screenName, reason } = draft;
  return {
    detail: `${points} on ${draft.ladder}`,
    drafts: step?.act({ event, room, member, screenName, strikes: points, reason, rule }) ?? [],
  };
}

/** Silences a member; a mute that lasts longer stays. */
export function applyMute(
  state: LaneState,
  { bot, mode, draft, because }: Proposal & { readonly draft: ActionDraft<'member.mute'> },
): Applied {
  const part = `${mode}/${bot.name}/${draft.member}`;
  const until = Math.max(state.now + draft.forMs, state.mutes.get(part)?.until ?? 0);
  state.mutes.set(part, { until, screenName: draft.screenName, because: because.at(-1) ?? '' });
  return { detail: `until ${new Date(until).toISOString()}`, drafts: [] };
}

/** Ends what a member publishes now and, with a watch, what it publishes next. */
export function applyCensor(
  state: LaneState,
  { bot, mode, draft, because }: Proposal & { readonly draft: ActionDraft<'member.censor'> },
): Applied {
  const { place, member, screenName, reason, watchMs } = draft;
  if (watchMs > 0) {
    state.watches.set(`${mode}/${bot.name}/${member}`, {
      member,
      screenName,
      reason,
      bot: bot.name,
      shadow: mode === 'shadow',
      until: state.now + watchMs,
    });
  }
  const streams = state.publishers.find((publisher) => publisher.key === member)?.streams ?? [];
  return {
    detail: `${streams.length} live ${streams.length === 1 ? 'stream' : 'streams'}${watchMs > 0 ? ', watched' : ''}`,
    drafts: streams.map(({ streamId }) => ({ type: 'stream.terminate', place, streamId, reason, because })),
  };
}
