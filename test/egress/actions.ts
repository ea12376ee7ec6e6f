import type { Action, ActionType, Deeds } from '../../src/domain/action.ts';
import { GUARANTEES } from '../../src/domain/action.ts';
import type { LaneKey } from '../../src/domain/lane-key.ts';
import type { ActionRecord, Lanes } from '../../src/engine/ports.ts';

export const room = { kind: 'room', id: 'eu#room.1' } as const;
export const channel = { kind: 'channel', id: 'eu#channel.1' } as const;

/** One deed of each type. */
export const deeds: { readonly [T in ActionType]: Extract<Deeds, { readonly type: T }> } = {
  'message.send': { type: 'message.send', place: room, text: 'hello', tags: ['topic:greeting'] },
  'message.hide': { type: 'message.hide', place: room, messageIds: ['eu#m|1|0001'] },
  'stream.terminate': { type: 'stream.terminate', place: room, streamId: 'eu#s.1', reason: 'censored' },
  'member.censor': {
    type: 'member.censor',
    place: room,
    member: 'session:s1',
    screenName: 'Ann',
    reason: 'censored',
    watchMs: 0,
  },
  'member.mute': { type: 'member.mute', place: room, member: 'session:s1', screenName: 'Ann', forMs: 60_000 },
  'member.ban': {
    type: 'member.ban',
    place: room,
    member: 'session:s1',
    screenName: 'Ann',
    forMs: 60_000,
    reason: 'spam',
  },
  'member.strike': {
    type: 'member.strike',
    place: room,
    member: 'session:s1',
    screenName: 'Ann',
    ladder: 'chat',
    points: 1,
    reason: 'spam',
  },
  'room.purge': { type: 'room.purge', place: room },
  'notify.send': { type: 'notify.send', target: 'mods', text: 'look' },
  'log.write': { type: 'log.write', text: 'noted' },
  'transcoding.start': {
    type: 'transcoding.start',
    place: room,
    resource: 'hls',
    spec: {
      streamId: 'eu#s.1',
      type: 'HLS',
      quality: 'hd',
      onDemand: true,
      only: 'video',
      capabilities: ['prefer-h264'],
      tags: ['kind:auto'],
    },
  },
  'transcoding.stop': {
    type: 'transcoding.stop',
    place: room,
    resource: 'hls',
    transcodingId: 'eu#t.1',
    reason: 'unused',
  },
  'composition.start': {
    type: 'composition.start',
    place: room,
    resource: 'pip',
    spec: {
      inputs: [
        { streamId: 'eu#s.1' },
        { streamId: 'eu#s.2', offset: { anchor: 'BottomRight', x: 16, y: 16 }, width: 320, height: 180 },
      ],
      capabilities: ['hd'],
      tags: ['kind:pip'],
    },
  },
  'composition.update': {
    type: 'composition.update',
    place: room,
    resource: 'pip',
    compositionId: 'eu#c.1',
    spec: { inputs: [{ streamId: 'eu#s.2' }], capabilities: [], tags: [] },
  },
  'composition.stop': {
    type: 'composition.stop',
    place: room,
    resource: 'pip',
    compositionId: 'eu#c.1',
    reason: 'unused',
  },
};

/** A signed action; `more` overrides what `deeds` says. */
export function action<T extends ActionType>(
  type: T,
  id = `id-${type}`,
  more: Partial<Action<T>> = {},
): Action<T> {
  // The spread of one union member and its own fields is that member again.
  return {
    ...deeds[type],
    id,
    bot: 'house',
    rule: 'a-rule',
    because: [],
    guarantee: GUARANTEES[type],
    as: { screenName: 'House', role: 'Moderator' },
    decidedAt: 1_800_000_000_000,
    ...more,
  } as unknown as Action<T>;
}

/** Journals intents as the engine does, and gives what it would hand to the outbox. */
export async function intend(
  lanes: Lanes,
  lane: LaneKey,
  ...actions: readonly Action[]
): Promise<ActionRecord[]> {
  const records: ActionRecord[] = actions.map((action) => ({ action, lane, mode: 'enforce' }));
  await lanes.commit({ lane, handled: [], parts: {}, wakeAt: null, actions: records });
  return records;
}
