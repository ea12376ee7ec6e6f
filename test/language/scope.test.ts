import { describe, expect, test } from 'vitest';
import type { PlaceFacts } from '../../src/domain/place.ts';
import { compileGlob } from '../../src/language/glob.ts';
import { ruleOf } from './compile.ts';
import { event, member, publishes, roomWith, ROOM, says } from './stage.ts';

const lobby: PlaceFacts = { kind: 'room', id: 'r#1', alias: 'lobby', name: 'The lobby', type: 'TownHall' };
const stage: PlaceFacts = { kind: 'channel', id: 'c#1', alias: 'main-stage', name: 'Main' };
const rule = 'when: stream.started\nthen: [{log: x}]';

describe('in', () => {
  test.each([
    ['{}', true, true],
    ['{rooms: ["*"]}', true, false],
    ['{channels: ["main-*"]}', false, true],
    ['{channels: ["side-*"]}', false, false],
    ['{rooms: ["*"], channels: ["*"]}', true, true],
    ['{rooms: ["lob?y"]}', true, false],
    ['{rooms: ["The *"]}', true, false],
    ['{rooms: ["r#1"]}', true, false],
    ['{rooms: ["x"]}', false, false],
    ['{types: [TownHall]}', true, false],
    ['{types: [DirectChat], rooms: ["*"]}', false, false],
    ['{tags: {any: [a]}}', true, true],
  ])('%s has the room %s, the channel %s', (scope, room, channel) => {
    for (const { covers } of [ruleOf(`${rule}\nin: ${scope}`).scope, ruleOf(rule, `in: ${scope}`).scope]) {
      expect([covers(lobby), covers(stage)]).toEqual([room, channel]);
    }
  });

  test("a rule's scope narrows its bot's", () => {
    const { covers, tags } = ruleOf(
      `${rule}\nin: {types: [TownHall], tags: {any: [a]}}`,
      'in: {rooms: ["s*"], tags: {none: [b]}}',
    ).scope;
    expect(covers(lobby)).toBe(false);
    expect(covers({ ...lobby, alias: 'studio' })).toBe(true);
    expect([tags?.(['a']), tags?.(['a', 'b']), tags?.([])]).toEqual([true, false, false]);
  });
});

describe('except', () => {
  const room = roomWith({
    members: [member('ann', { role: 'Moderator' }), member('bob', { state: 'Passive' })],
  });
  const passes = (except: string, head = '') => ruleOf(`${rule}\nexcept: ${except}`, head).except;

  test.each([
    ['{role: [Moderator]}', 'ann', true],
    ['{role: Moderator}', 'bob', false],
    ['{state: Passive}', 'bob', true],
    ['{name: "A*"}', 'ann', true],
    ['{role: Audience, name: bob}', 'bob', true],
  ])('%s passes over %s: %s', (except, name, passed) => {
    const of = passes(except);
    expect(of?.(says(name, 'x'), room)).toBe(passed);
    expect(of?.(publishes(name), room)).toBe(passed);
  });

  test('a claim in a message excepts nobody', () => {
    const impostor = says('ann', 'x', { role: 'Moderator' });
    const { author } = impostor;
    const claimed = { ...impostor, author: { ...author, sessionId: 's-eve', key: 'session:s-eve' as const } };
    expect(passes('{role: Moderator, name: ann}')?.(claimed, room)).toBe(false);
  });

  test('of a rule replaces that of the defaults', () => {
    const defaults = 'defaults: {except: {role: Moderator}}';
    expect(ruleOf(rule, defaults).except?.(publishes('ann'), room)).toBe(true);
    expect(passes('{}', defaults)).toBeUndefined();
    expect(ruleOf(rule, defaults).except?.(event('room.opened', { place: ROOM, facts: lobby }), room)).toBe(
      false,
    );
  });
});

describe('globs', () => {
  test.each([
    ['*', 'anything', true],
    ['**', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abb', false],
    ['*a*b*', 'xxaxxbxx', true],
    ['?', '💥', true],
    ['a?', 'a', false],
    ['a.c', 'abc', false],
    ['', '', true],
    ['', 'a', false],
    ['*ab', 'aab', true],
  ])('%s against %s: %s', (glob, text, fits) => {
    expect(compileGlob(glob)(text)).toBe(fits);
  });

  test('many stars take no exponential time', () => {
    expect(compileGlob(`${'*a'.repeat(30)}b`)('a'.repeat(3_000))).toBe(false);
  });
});
