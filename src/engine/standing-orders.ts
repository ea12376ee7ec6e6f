import type { ActionDraft } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import { memberKey } from '../domain/member.ts';
import type { PlaceRef } from '../domain/place.ts';
import type { Bot, Mode } from '../plugin/bot.ts';
import { skeleton } from '../text/index.ts';
import type { BanIndex } from './ban-index.ts';
import { isDoomed } from './doom.ts';
import type { LaneState } from './lane-state.ts';

/** What an earlier verdict asks for now, by a rule of the engine's own: `<bot>/mute`, `<bot>/watch` or `<bot>/ban`. */
export interface StandingOrder {
  readonly bot: Bot;
  readonly rule: string;
  readonly mode: Mode;
  readonly draft: ActionDraft;
}

const MODES: readonly Mode[] = ['enforce', 'shadow'];
const NONE: readonly StandingOrder[] = [];

/** Mutes and bans hide what is written; watches and bans end what is published. Our own messages are not looked at. */
export function standingOrders(
  state: LaneState,
  bots: readonly Bot[],
  bans: BanIndex,
  event: UsherEvent,
  touched: readonly string[],
): readonly StandingOrder[] {
  const { ref } = state;
  if (!ref || bots.length === 0) return NONE;
  if (event.type === 'message.posted') {
    const nobody = state.mutes.size === 0 && bans.isEmpty;
    return nobody || event.own === true ? NONE : onMessage(state, bots, bans, event, ref);
  }
  return touched.length === 0 ? NONE : onStreams(state, bots, bans, touched, ref);
}

function onMessage(
  state: LaneState,
  bots: readonly Bot[],
  bans: BanIndex,
  event: UsherEvent & { readonly type: 'message.posted' },
  place: PlaceRef,
): readonly StandingOrder[] {
  const orders: StandingOrder[] = [];
  const { key, screenName } = event.author;
  const draft: ActionDraft = {
    type: 'message.hide',
    place,
    messageIds: [event.messageId],
    because: [event.id],
  };
  for (const bot of bots) {
    if (state.mutes.size > 0) {
      for (const mode of MODES) {
        const mute = state.mutes.get(`${mode}/${bot.name}/${key}`);
        if (mute && mute.until > state.now) orders.push({ bot, rule: `${bot.name}/mute`, mode, draft });
      }
    }
    if (bans.find(bot.name, key, screenName, state.time)) {
      orders.push({ bot, rule: `${bot.name}/ban`, mode: 'enforce', draft });
    }
  }
  return orders;
}

function onStreams(
  state: LaneState,
  bots: readonly Bot[],
  bans: BanIndex,
  touched: readonly string[],
  place: PlaceRef,
): readonly StandingOrder[] {
  const orders: StandingOrder[] = [];
  for (const streamId of touched) {
    const stream = state.streams.get(streamId);
    if (!stream || isDoomed(state, streamId)) continue;
    const screenName =
      stream.sessionId === undefined ? '' : (state.members.get(stream.sessionId)?.screenName ?? '');
    const member = memberKey({ sessionId: stream.sessionId, screenName });
    const end = (bot: Bot, rule: string, mode: Mode, reason: string): void => {
      const because = [stream.startedBy];
      orders.push({ bot, rule, mode, draft: { type: 'stream.terminate', place, streamId, reason, because } });
    };
    for (const bot of bots) {
      for (const watch of state.watches.values()) {
        if (watch.bot !== bot.name || watch.until <= state.now) continue;
        if (watch.member === member || sameName(watch.screenName, screenName)) {
          end(bot, `${bot.name}/watch`, watch.shadow ? 'shadow' : 'enforce', watch.reason);
          break;
        }
      }
      const ban = bans.find(bot.name, member, screenName, state.time);
      if (ban) end(bot, `${bot.name}/ban`, 'enforce', ban.reason === '' ? 'banned' : ban.reason);
    }
  }
  return orders;
}

const sameName = (a: string, b: string): boolean => a !== '' && b !== '' && skeleton(a) === skeleton(b);
