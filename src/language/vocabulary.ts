import { member } from './if/member.ts';
import { publishers } from './if/publishers.ts';
import { rate } from './if/rate.ts';
import { room } from './if/room.ts';
import { strikes } from './if/strikes.ts';
import { tags } from './if/tags.ts';
import { text } from './if/text.ts';
import { compose, transcode } from './then/media.ts';
import { hide } from './then/hide.ts';
import { ban, mute, strike } from './then/member.ts';
import { announce, reply } from './then/messages.ts';
import { purge } from './then/purge.ts';
import { censor, terminate } from './then/streams.ts';
import { log, notify } from './then/tell.ts';
import { actionFailed } from './when/action-failed.ts';
import { command } from './when/command.ts';
import { memberChanged, memberJoined, memberLeft, memberRole, memberState } from './when/member.ts';
import { message } from './when/message.ts';
import { channelClosed, channelOpened, roomClosed, roomOpened } from './when/place.ts';
import { publishersCross } from './when/publishers.ts';
import { streamEnded, streamLive, streamOnDemand, streamStarted } from './when/stream.ts';
import { every, schedule } from './when/time.ts';
import type { ActionWord, ConditionWord, TriggerWord, Word } from './word.ts';

const byName = <W extends Word>(words: readonly W[]): ReadonlyMap<string, W> =>
  new Map(words.map((word) => [word.name, word]));

/** The words for `when`. */
export const TRIGGERS = byName<TriggerWord>([
  message,
  command,
  memberJoined,
  memberLeft,
  memberChanged,
  memberState,
  memberRole,
  streamStarted,
  streamEnded,
  streamLive,
  streamOnDemand,
  publishersCross,
  roomOpened,
  roomClosed,
  channelOpened,
  channelClosed,
  every,
  schedule,
  actionFailed,
]);

/** The words for `if`, besides `all`, `any` and `not`. */
export const CONDITIONS = byName<ConditionWord>([text, rate, member, room, tags, publishers, strikes]);

/** The words for `then`, and for `do` of a ladder. */
export const ACTIONS = byName<ActionWord>([
  reply,
  announce,
  hide,
  censor,
  terminate,
  mute,
  ban,
  strike,
  purge,
  notify,
  log,
  transcode,
  compose,
]);
