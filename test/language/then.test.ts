import { describe, expect, test } from 'vitest';
import { botOf, ruleOf } from './compile.ts';
import { acts, event, member, memory, publishes, roomWith, ROOM, run, says, stream } from './stage.ts';

const HEAD = `
lists: {slurs: {terms: [slur]}}
strikes:
  chat: {ladder: [{at: 1, do: [{mute: 1m}]}]}
notify: {mods: {webhook: "https://pager.example"}}
`;
const ruleThen = (action: string, when = 'message', more = '') =>
  ruleOf(`when: ${when}\nthen: [${action}]\n${more}`, HEAD);
const room = roomWith({ members: [member('ann')] });
const who = { place: ROOM, member: 'session:s-ann', screenName: 'ann' };
const hi = says('ann', 'hi there');

describe('then', () => {
  test.each([
    [
      '{reply: "{{member.name}} ({{reason}}) in {{room.alias}}: {{strikes}} {{member.role}}"}',
      { type: 'message.send', place: ROOM, text: 'ann (r) in lobby: 0 Participant', tags: [] },
    ],
    [
      '{announce: {text: "{{bot}}/{{rule}}", cooldown: 1m}}',
      { type: 'message.send', place: ROOM, text: 'b/r', tags: [] },
    ],
    ['hide', { type: 'message.hide', place: ROOM, messageIds: [hi.messageId] }],
    ['censor', { type: 'member.censor', ...who, reason: 'censored', watchMs: 0 }],
    [
      '{censor: {reason: spam, watch: 10m}}',
      { type: 'member.censor', ...who, reason: 'spam', watchMs: 600_000 },
    ],
    ['{mute: 10m}', { type: 'member.mute', ...who, forMs: 600_000 }],
    ['{ban: 24h}', { type: 'member.ban', ...who, forMs: 86_400_000, reason: 'r' }],
    ['{ban: {for: 1h, reason: raid}}', { type: 'member.ban', ...who, forMs: 3_600_000, reason: 'raid' }],
    ['strike', { type: 'member.strike', ...who, ladder: 'chat', points: 1, reason: 'r' }],
    [
      '{strike: {points: 2, reason: spam}}',
      { type: 'member.strike', ...who, ladder: 'chat', points: 2, reason: 'spam' },
    ],
    ['purge', { type: 'room.purge', place: ROOM }],
    [
      '{notify: mods}',
      { type: 'notify.send', place: ROOM, target: 'mods', text: 'b/r in lobby: ann (r): hi there' },
    ],
    [
      '{notify: {to: mods, text: "{{message.text}}"}}',
      { type: 'notify.send', place: ROOM, target: 'mods', text: 'hi there' },
    ],
    ['{log: "{{member.name}}"}', { type: 'log.write', place: ROOM, text: 'ann' }],
  ])('%s', (action, draft) => {
    expect(acts(ruleThen(action), hi, room)).toEqual([{ ...draft, because: [hi.id] }]);
  });

  test('stream words', () => {
    const started = publishes('ann');
    const about = { place: ROOM, because: [started.id] };
    expect(
      acts(
        ruleThen('terminate, {transcode: {type: DASH, quality: hd, audioOnly: true}}', 'stream.started'),
        started,
        room,
      ),
    ).toEqual([
      { type: 'stream.terminate', streamId: 'ann-0', reason: 'terminated', ...about },
      {
        type: 'transcoding.start',
        resource: 'r ann-0 DASH hd',
        spec: {
          streamId: 'ann-0',
          type: 'DASH',
          quality: 'hd',
          onDemand: false,
          only: 'audio',
          capabilities: [],
          tags: [],
        },
        ...about,
      },
    ]);
  });

  test('compose starts, waits while it starts, and updates what runs', () => {
    const rule = ruleThen('compose', 'stream.started');
    const resource = { key: 'r compose', rule: 'r', kind: 'composition' as const, spec: '{}' };
    const streams = [stream('ann', 0), stream('bob', 1)];
    const does = (...resources: Parameters<typeof roomWith>[0][]) =>
      acts(rule, publishes('bob'), roomWith(Object.assign({ streams }, ...resources)));
    expect(does()).toMatchObject([
      {
        type: 'composition.start',
        resource: 'r compose',
        spec: { inputs: [{ streamId: 'ann-0' }, { streamId: 'bob-1' }] },
      },
    ]);
    expect(does({ resources: [{ ...resource, phase: 'starting' }] })).toEqual([]);
    expect(does({ resources: [{ ...resource, phase: 'running', platformId: 'c1' }] })).toMatchObject([
      { type: 'composition.update', compositionId: 'c1' },
    ]);
    expect(acts(rule, publishes('bob'), roomWith())).toEqual([]);
  });

  test('censor ends the stream alone when nobody knows its publisher', () => {
    const { sessionId: _, ...unknown } = publishes('ann');
    expect(acts(ruleThen('censor', 'stream.started'), unknown)).toMatchObject([
      { type: 'stream.terminate', streamId: 'ann-0' },
    ]);
  });

  test('actions come in the order in which they are written', () => {
    expect(acts(ruleThen('{log: a}, hide, {log: b}'), hi, room).map(({ type }) => type)).toEqual([
      'log.write',
      'message.hide',
      'log.write',
    ]);
  });

  test('an answer with a cooldown comes once in that time', () => {
    const rule = ruleThen('{reply: {text: hello, cooldown: 1m}}');
    const remember = memory();
    expect(
      run(rule, [says('a', '1'), says('b', '2')], room, remember).map((drafts) => drafts.length),
    ).toEqual([1, 0]);
    remember.entries.clear();
    expect(run(rule, [says('a', '3')], room, remember).map((drafts) => drafts.length)).toEqual([1]);
  });

  test('nothing is said where there is no chat', () => {
    const channel = { kind: 'channel', id: 'c' } as const;
    expect(
      acts(ruleThen('{announce: hello}', 'stream.started'), publishes('ann', { place: channel })),
    ).toEqual([]);
  });

  test('what people wrote is cut at the limit of a message, between two characters', () => {
    const rule = ruleOf('when: {command: "!say"}\nthen: [{reply: "{{args.0}}"}]');
    const [draft] = acts(rule, says('a', `!say ${'é'.repeat(900)}`));
    const text = draft?.type === 'message.send' ? draft.text : '';
    expect(Buffer.byteLength(text)).toBe(1_023);
    expect(text).toMatch(/^é+…$/);
  });

  test('a slur in a name or an argument is not repeated in public', () => {
    const rule = ruleOf(
      'when: {command: "!say"}\nthen: [{reply: "{{member.name}}: {{args.0}} {{args.1}}"}, {log: "{{args.0}}"}]',
      HEAD,
    );
    expect(acts(rule, says('S1ur', '!say s.l.u.r hello'))).toMatchObject([
      { text: '…: … hello' },
      { text: 's.l.u.r' },
    ]);
  });

  test('{{strikes}} counts the strike of this decision, {{reason}} is the note', () => {
    const rule = ruleOf(
      'when: message\nnote: no shouting\nthen: [{strike: {points: 2}}, {reply: "{{strikes}} for {{reason}}"}]',
      HEAD,
    );
    expect(acts(rule, hi, roomWith({ points: 3 }))).toMatchObject([
      { reason: 'no shouting' },
      { text: '5 for no shouting' },
    ]);
  });

  test('a failed action can be told', () => {
    const failed = event('action.settled', {
      place: ROOM,
      action: 'a',
      actionType: 'message.send',
      bot: 'b',
      rule: 'x',
      outcome: 'failed',
      detail: 'room is gone',
      result: {},
    });
    expect(acts(ruleThen('{notify: mods}', 'action.failed'), failed)).toMatchObject([
      { text: 'b/r in lobby (r): message.send room is gone' },
    ]);
  });

  test('a rule may do what its words do, and what its ladder does', () => {
    expect([...ruleThen('hide, strike').mayDo]).toEqual(['message.hide', 'member.strike', 'member.mute']);
  });
});

describe('ladders', () => {
  const bot = botOf(`
version: 1
bot: b
strikes:
  chat:
    decay: {points: 1, every: 6h}
    ladder:
      - {at: 1, do: [{reply: "{{member.name}}: {{reason}} (strike {{strikes}})"}, hide]}
      - {at: 2.5, do: censor}
rules: [{id: r, when: message, then: strike}]
`);
  const context = {
    event: hi,
    room,
    member: 'session:s-ann',
    screenName: 'ann',
    strikes: 1,
    reason: 'spam',
    rule: 'r',
  } as const;

  test('speak of the strike', () => {
    const ladder = bot.ladders.get('chat');
    expect(ladder?.decay).toEqual({ points: 1, everyMs: 21_600_000 });
    expect(ladder?.steps.map(({ at }) => at)).toEqual([1, 2.5]);
    expect(ladder?.steps[0]?.act(context)).toEqual([
      { type: 'message.send', place: ROOM, text: 'ann: spam (strike 1)', tags: [], because: [] },
      { type: 'message.hide', place: ROOM, messageIds: [hi.messageId], because: [] },
    ]);
    expect(ladder?.steps[1]?.act(context)).toMatchObject([
      { type: 'member.censor', member: 'session:s-ann' },
    ]);
  });

  test('pass over a message where the event has none', () => {
    const acted = bot.ladders.get('chat')?.steps[0]?.act({ ...context, event: publishes('ann') });
    expect(acted?.map(({ type }) => type)).toEqual(['message.send']);
  });
});
