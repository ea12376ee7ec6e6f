import { describe, expect, test } from 'vitest';
import type { UsherEvent } from '../../src/domain/event.ts';
import { ruleOf } from './compile.ts';
import { acts, event, member, publishes, roomWith, ROOM, says } from './stage.ts';

const ann = member('ann');
const started = publishes('ann');
const channel = { kind: 'channel', id: 'c' } as const;
const facts = { ...ROOM, alias: 'lobby', name: 'Lobby' };
const changed = (changes: object): UsherEvent =>
  event('member.changed', { place: ROOM, member: ann, changes });
const fired = (bot: string, rule: string): UsherEvent =>
  event('schedule.fired', { place: ROOM, bot, rule, dueAt: 5 });
const crossing = (from: number, to: number): UsherEvent =>
  event('publishers.changed', { place: ROOM, from, to, cause: 'stream.started x' });
const settled = (bot: string, rule: string, outcome: 'failed' | 'performed' | 'unknown'): UsherEvent =>
  event('action.settled', {
    place: ROOM,
    action: 'a',
    actionType: 'message.send',
    bot,
    rule,
    outcome,
    detail: 'full',
    result: {},
  });

const TABLE: readonly (readonly [string, readonly UsherEvent[], readonly UsherEvent[]])[] = [
  ['message', [says('ann', 'hi')], [says('b', 'hi', { own: true }), started]],
  [
    '{command: "!help"}',
    [says('a', ' !HELP me'), says('a', '!help')],
    [says('a', '!helpme'), says('a', 'so !help'), says('b', '!help', { own: true })],
  ],
  [
    'member.joined',
    [event('member.joined', { place: ROOM, member: ann })],
    [event('member.left', { place: ROOM, member: ann })],
  ],
  [
    'member.left',
    [event('member.left', { place: ROOM, member: ann })],
    [event('member.joined', { place: ROOM, member: ann })],
  ],
  ['member.changed', [changed({ streams: { from: [], to: ['x'] } })], []],
  [
    '{member.changed: {role: Presenter}}',
    [changed({ role: { from: 'Audience', to: 'Presenter' } })],
    [changed({ role: { from: 'Presenter', to: 'Audience' } })],
  ],
  [
    '{member.state: HandRaised}',
    [changed({ state: { from: 'Active', to: 'HandRaised' } })],
    [changed({ state: { from: 'HandRaised', to: 'Active' } }), changed({})],
  ],
  [
    '{member.role: Moderator}',
    [changed({ role: { from: 'Audience', to: 'Moderator' } })],
    [changed({ role: { from: 'Audience', to: 'Presenter' } })],
  ],
  ['stream.started', [started], [publishes('a', { late: true }), publishes('a', { own: true })]],
  [
    'stream.ended',
    [event('stream.ended', { streamId: 's', tags: [], durationMs: 1, reason: '' })],
    [started],
  ],
  ['stream.live', [event('stream.live', { streamId: 's', tags: [], uri: 'u', isPrimary: true })], [started]],
  [
    'stream.onDemand',
    [event('stream.onDemand', { streamId: 's', tags: [], uri: 'u', isPrimary: true })],
    [started],
  ],
  [
    '{publishers: {crosses: 2}}',
    [crossing(1, 2), crossing(2, 1), crossing(0, 5)],
    [crossing(2, 3), crossing(0, 1)],
  ],
  ['{publishers: {up: 2}}', [crossing(1, 3)], [crossing(3, 1)]],
  ['{publishers: {down: 2}}', [crossing(3, 1)], [crossing(1, 3)]],
  ['room.opened', [event('room.opened', { place: ROOM, facts })], []],
  ['room.closed', [event('room.closed', { place: ROOM, facts })], []],
  ['channel.opened', [event('channel.opened', { place: channel, facts })], []],
  ['channel.closed', [event('channel.closed', { place: channel, facts })], []],
  ['{every: 5m}', [fired('b', 'r')], [fired('b', 'other'), fired('other', 'r')]],
  ['{schedule: "0 4 * * *", tz: Europe/Berlin}', [fired('b', 'r')], [fired('b', 'other')]],
  [
    'action.failed',
    [settled('b', 'x', 'failed'), settled('b', 'x', 'unknown')],
    [settled('b', 'x', 'performed'), settled('other', 'x', 'failed'), settled('b', 'r', 'failed')],
  ],
];

describe('when', () => {
  test.each(TABLE)('%s hears what it says', (when, heard, unheard) => {
    const rule = ruleOf(`when: ${when}\nthen: [{log: x}]`);
    for (const one of heard) expect(acts(rule, one)).toMatchObject([{ type: 'log.write' }]);
    for (const one of unheard) expect(acts(rule, one)).toEqual([]);
  });

  test('schedules reach the engine', () => {
    expect(ruleOf('when: {every: 5m}\nthen: [{log: x}]').schedule).toEqual({ everyMs: 300_000 });
    expect(ruleOf('when: {schedule: "0 4 * * *"}\nthen: [{log: x}]').schedule).toEqual({
      cron: '0 4 * * *',
      tz: 'UTC',
    });
  });

  test('what is derived names the journaled event behind it', () => {
    const rule = ruleOf('when: {publishers: {up: 2}}\nthen: [{log: "{{n}} now"}]');
    expect(acts(rule, crossing(1, 3))).toEqual([
      { type: 'log.write', text: '3 now', place: ROOM, because: ['stream.started x'] },
    ]);
  });

  test('a decision is the same the second time', () => {
    const rule = ruleOf('when: message\nthen: [hide, {reply: "{{member.name}}, no"}]');
    const one = says('ann', 'x');
    expect(acts(rule, one, roomWith())).toEqual(acts(rule, one, roomWith()));
  });
});
