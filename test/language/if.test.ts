import { describe, expect, test } from 'vitest';
import type { UsherEvent } from '../../src/domain/event.ts';
import type { PlaceView } from '../../src/domain/place-view.ts';
import { defineCondition } from '../../src/plugin/index.ts';
import { z } from 'zod';
import { ruleOf } from './compile.ts';
import { acts, event, member, memory, publishes, roomWith, ROOM, run, says, stream } from './stage.ts';

const LISTS = `
lists:
  slurs: {terms: [slur], allow: [slur study]}
  scams: {terms: [evil.example], match: domain}
strikes:
  chat: {ladder: [{at: 1, do: [{mute: 1m}]}]}
`;
const ruleIf = (condition: string, when = 'message') =>
  ruleOf(`when: ${when}\nif: ${condition}\nthen: [{log: "{{rule}}"}]`, LISTS);
const listed = roomWith({
  members: [member('ann', { role: 'Presenter' }), member('bob', { state: 'HandRaised' })],
});
const full = roomWith({
  alias: 'town',
  type: 'TownHall',
  members: ['a', 'b', 'c'].map((name) => member(name)),
});
const onAir = roomWith({ streams: [stream('ann', 0), stream('bob', 1, { video: 'TrackDisabled' })] });
const tagged = publishes('ann', { tags: ['kind:show', 'lang:de'] });

const TABLE: [string, boolean, UsherEvent, PlaceView?][] = [
  ['{text: {any: [bingo]}}', true, says('a', 'oh B1NG0!')],
  ['{text: {any: [bingo]}}', false, says('a', 'bingos')],
  ['{text: {any: [bing], match: prefix}}', true, says('a', 'bingos')],
  ['{text: {any: [bingo], fold: [case]}}', false, says('a', 'b1ngo')],
  ['{text: {list: slurs}}', true, says('a', 'you sl.ur')],
  ['{text: {list: slurs}}', false, says('a', 'a slur study')],
  ['{text: {list: [slurs, scams]}}', true, says('a', 'see https://www.evil.example/x')],
  ['{text: {pattern: "(?i)call \\\\+?[0-9]{6,}"}}', true, says('a', 'please Call +123456')],
  ['{text: {pattern: "^x$"}}', false, says('a', 'xx')],
  ['{member: {role: Presenter}}', true, says('ann', 'x'), listed],
  ['{member: {role: [Audience, Presenter]}}', true, says('ann', 'x'), listed],
  ['{member: {role: Moderator}}', false, says('eve', 'x', { role: 'Moderator' }), listed],
  ['{member: {state: HandRaised}}', true, says('bob', 'x'), listed],
  ['{member: {name: "a*"}}', true, says('ann', 'x'), listed],
  ['{member: {name: admin}}', true, says('Аdm1n', 'x')],
  ['{member: {name: "b*"}}', false, says('ann', 'x')],
  ['{member: {verified: true}}', true, says('ann', 'x'), listed],
  ['{member: {verified: true}}', false, says('eve', 'x'), listed],
  ['{member: {verified: false}}', true, says('eve', 'x'), listed],
  ['{room: {alias: "to*", type: TownHall, size: {over: 2}}}', true, says('a', 'x'), full],
  ['{room: {size: {under: 3}}}', false, says('a', 'x'), full],
  ['{room: {type: [TownHall, DirectChat]}}', false, says('a', 'x')],
  ['{publishers: {atLeast: 2}}', true, says('a', 'x'), onAir],
  ['{publishers: {atLeast: 2, withVideo: true}}', false, says('a', 'x'), onAir],
  ['{publishers: {atMost: 1, withVideo: false}}', true, says('a', 'x'), onAir],
  ['{strikes: {atLeast: 2}}', true, says('a', 'x'), roomWith({ points: 2 })],
  ['{strikes: {ladder: chat, over: 2}}', false, says('a', 'x'), roomWith({ points: 2 })],
  ['{tags: {any: ["x:y"]}}', true, says('a', 'x', { tags: ['x:y'] })],
  ['{not: {text: {any: [a]}}}', true, says('a', 'b')],
  ['{any: [{text: {any: [a]}}, {text: {any: [b]}}]}', true, says('a', 'b')],
  ['{any: {text: {any: [a]}, room: {type: TownHall}}}', false, says('a', 'b')],
  ['[{text: {any: [a]}}, {text: {any: [b]}}]', false, says('a', 'b')],
  ['{all: [{text: {any: [a]}}, {not: {text: {any: [c]}}}]}', true, says('a', 'a b')],
];

describe('if', () => {
  test.each(TABLE)('%s: %s', (condition, holds, one, room) => {
    expect(acts(ruleIf(condition), one, room)).toHaveLength(holds ? 1 : 0);
  });

  test.each([
    ['{any: ["kind:*"]}', true],
    ['{all: ["kind:show", "lang:de"]}', true],
    ['{all: ["kind:show", "lang:en"]}', false],
    ['{none: ["lang:de"]}', false],
  ])('tags %s of a stream: %s', (tags, holds) => {
    expect(acts(ruleIf(`{tags: ${tags}}`, 'stream.started'), tagged)).toHaveLength(holds ? 1 : 0);
  });

  test('the text that was found is the match', () => {
    const rule = ruleOf('when: message\nif: {text: {list: slurs}}\nthen: [{log: "{{match}}"}]', LISTS);
    expect(acts(rule, says('a', 'a S.L.U.R here'))).toMatchObject([{ text: 'S.L.U.R' }]);
  });

  test('the word of a plugin has options and a memory of its own', () => {
    const nth = defineCondition({
      name: 'every-nth',
      options: z.strictObject({ n: z.int() }),
      test: (_event, { options, remember }) => {
        const seen = Number(remember.get('seen') ?? 0) + 1;
        remember.set('seen', seen, { forMs: 1_000 });
        return seen % options.n === 0 && { match: `nr ${seen}` };
      },
    });
    const rule = ruleOf(
      'when: message\nif: {every-nth: {n: 2}, text: {any: [x]}}\nthen: [{log: "{{match}}"}]',
      '',
      {
        plugins: new Map([[nth.name, nth]]),
      },
    );
    const texts = ['x', 'y', 'x', 'x', 'x'].map((text) => says('a', text));
    expect(run(rule, texts).map((drafts) => drafts.length)).toEqual([0, 0, 1, 0, 1]);
  });
});

describe('rate', () => {
  const at = (...seconds: number[]) => seconds.map((second) => says('ann', 'x', { at: second }));
  const trips = (condition: string, events: readonly UsherEvent[], room?: PlaceView) =>
    run(ruleIf(condition), events, room).map((drafts) => drafts.length);

  test('slides on event time', () => {
    expect(trips('{rate: {count: 3, within: 8s}}', at(0, 4, 7, 9, 20, 21, 22))).toEqual([
      0, 0, 1, 1, 0, 0, 1,
    ]);
  });

  test('is per member unless the room is asked for', () => {
    const two = [says('ann', 'x', { at: 0 }), says('bob', 'x', { at: 1 })];
    expect(trips('{rate: {count: 2, within: 8s}}', two)).toEqual([0, 0]);
    expect(trips('{rate: {count: 2, within: 8s, per: room}}', two)).toEqual([0, 1]);
  });

  test('counts each member once with distinct', () => {
    const who = ['ann', 'ann', 'bob', 'bob', 'cy'].map((name, at) => says(name, 'x', { at }));
    expect(trips('{rate: {count: 3, within: 9s, distinct: member}}', who)).toEqual([0, 0, 0, 0, 1]);
  });

  test.each([
    '{text: {any: [x]}, rate: {count: 2, within: 8s}}',
    '[{rate: {count: 2, within: 8s}}, {text: {any: [x]}}]',
  ])('counts what the conditions beside it let through, in any order: %s', (condition) => {
    const texts = ['x', 'y', 'y', 'x', 'x'].map((text, at) => says('ann', text, { at }));
    expect(trips(condition, texts)).toEqual([0, 0, 0, 1, 1]);
  });

  test('counts also where another branch holds', () => {
    const texts = ['x', 'y', 'y'].map((text, at) => says('ann', text, { at }));
    expect(trips('{any: [{text: {any: [x]}}, {rate: {count: 3, within: 8s}}]}', texts)).toEqual([1, 0, 1]);
  });

  test('ends exactly at its width', () => {
    expect(trips('{rate: {count: 2, within: 8s}}', at(0, 8, 15))).toEqual([0, 0, 1]);
  });

  test('counts another kind of event, what others did of it', () => {
    const rule = ruleOf(
      'when: stream.ended\nif: {rate: {count: 2, within: 10s, event: message, per: room}}\nthen: [{log: "{{n}}"}]',
    );
    const ended = (second: number) =>
      event('stream.ended', { streamId: `s${second}`, tags: [], durationMs: 1, reason: '', at: second });
    const events = [
      says('a', 'x', { at: 0 }),
      says('c', 'x', { at: 0, own: true }),
      ended(1),
      says('b', 'x', { at: 2 }),
      ended(3),
      ended(10),
    ];
    expect(run(rule, events).map((drafts) => drafts.length)).toEqual([0, 0, 0, 0, 1, 0]);
  });

  test('names all events of the burst, and hide: matched hides them', () => {
    const rule = ruleOf('when: message\nif: {rate: {count: 3, within: 8s}}\nthen: [{hide: matched}]');
    const events = at(0, 1, 2);
    expect(run(rule, events).at(-1)).toEqual([
      {
        type: 'message.hide',
        place: ROOM,
        messageIds: events.map(({ messageId }) => messageId),
        because: events.map(({ id }) => id),
      },
    ]);
  });

  test('does not depend on the order of arrival, nor on seeing an event twice', () => {
    const [a, b, c] = at(0, 1, 2);
    expect(trips('{rate: {count: 3, within: 8s}}', [c!, a!, a!, b!, c!])).toEqual([0, 0, 0, 0, 1]);
  });

  test('remembers no more than it counts', () => {
    const remember = memory();
    const rule = ruleIf('{rate: {count: 5, within: 1h}}');
    run(
      rule,
      Array.from({ length: 500 }, (_, index) => says('ann', 'x', { at: index })),
      undefined,
      remember,
    );
    expect([...remember.entries.values()].map((value) => (value as unknown[]).length)).toEqual([5]);
  });
});
