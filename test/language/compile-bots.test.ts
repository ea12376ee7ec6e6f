import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeBots } from '../../src/language/describe-bots.ts';
import { botOf, compile } from './compile.ts';
import { acts, member, publishes, roomWith, says, stream, wants } from './stage.ts';

/** The bot of the language's own page, in the words that are there. */
const HOUSE = `version: 1
bot: house
as: {screenName: House, role: Moderator}     # sender of its messages
in: {rooms: ["*"], types: [MultiPartyChat, ModeratedChat, TownHall, DirectChat], channels: ["*"]}
clients: cooperating
defaults:
  mode: shadow
  except: {role: [Moderator]}
lists:
  slurs:  {file: ../config/lists/slurs.txt, match: word, fold: [case, marks, invisible, confusables, leet, repeats, spacing], allow: [scunthorpe]}
  scams:  {terms: [evil.example], match: domain}
strikes:
  chat: {per: member, decay: {points: 1, every: 6h}, ladder: [
    {at: 1, do: [{reply: "{{member.name}}: {{reason}} (strike {{strikes}})"}]},
    {at: 3, do: [{mute: 10m}]},
    {at: 5, do: [censor, {ban: 24h}, {notify: mods}]}]}
notify:
  mods: {webhook: "\${MODS_WEBHOOK}"}
rules:
  - id: slurs
    when: message
    if: {any: [{text: {list: slurs}}, {text: {list: scams}}]}
    then: &answer [hide, {strike: {ladder: chat, reason: mind your words}}]
    mode: enforce
    stop: true
  - id: flood
    when: message
    if: {rate: {count: 6, within: 8s, per: member}}
    then: *answer
    cooldown: {for: 30s, per: member}
  - id: raised
    when: {member.state: HandRaised}
    then: [{notify: {to: mods, text: "{{member.name}} raised a hand"}}]
  - id: switched-off
    mode: off
    when: message
    then: [purge]
  - id: nightly
    in: {rooms: [main-*]}
    when: {schedule: "0 4 * * *", tz: Europe/Berlin}
    then: [{log: "night in {{room.alias}}"}]
  - id: hls-for-live
    keep: transcoding
    in: {tags: {any: ["rendition:auto"]}}
    while: publishing
    transcoding: {type: HLS, quality: hd, onDemand: true, tags: ["kind:auto-hls"]}
    grace: {start: 0s, stop: 30s}
  - id: pip
    keep: composition
    in: {rooms: ["studio-*"]}
    while: {publishers: {atLeast: 2, withVideo: true}}
    main: [{type: Presentation}, {role: Presenter}, oldest]
    insets: {order: joined, max: 3, anchor: BottomRight, width: 320, height: 180, gap: 16, stack: up}
    capabilities: [hd, prefer-h264]
    grace: {start: 2s, stop: 15s}
    mode: enforce
`;
const around = { env: { MODS_WEBHOOK: 'https://pager.example/x' }, readFile: () => '# words\nslur\n' };

describe('a whole bot', () => {
  const bot = botOf(HOUSE, around);
  const ruleBy = (id: string) => bot.rules.find((rule) => rule.id === id)!;

  test('has its head', () => {
    expect(bot).toMatchObject({ name: 'house', as: { screenName: 'House', role: 'Moderator' } });
    expect([...bot.notify]).toEqual([['mods', { webhook: 'https://pager.example/x' }]]);
    expect([...bot.ladders.keys()]).toEqual(['chat']);
    expect(bot.rules.map(({ id }) => id)).toEqual([
      'slurs',
      'flood',
      'raised',
      'nightly',
      'hls-for-live',
      'pip',
    ]);
    expect(compile(HOUSE, around)).toMatchObject({ reads: ['config/lists/slurs.txt'], warnings: [] });
  });

  test('acts', () => {
    const [rule, room] = [ruleBy('slurs'), roomWith({ members: [member('ann')] })];
    expect(acts(rule, says('ann', 'a S.L.U.R'), room).map(({ type }) => type)).toEqual([
      'message.hide',
      'member.strike',
    ]);
    expect(acts(rule, says('ann', 'buy at http://evil.example:80/'), room)).toHaveLength(2);
    expect(acts(rule, says('ann', 'greetings from Scunthorpe'), room)).toEqual([]);
    expect(rule).toMatchObject({ mode: 'enforce', stop: true });
    expect(ruleBy('flood').cooldown).toEqual({ forMs: 30_000, per: 'member' });
    expect(
      ruleBy('flood').except?.(
        publishes('mod'),
        roomWith({ members: [member('mod', { role: 'Moderator' })] }),
      ),
    ).toBe(true);
    expect(
      wants(ruleBy('pip'), roomWith({ alias: 'studio-1', streams: [stream('a', 0), stream('b', 1)] })),
    ).toHaveLength(1);
  });

  test('is described in one row a rule', () => {
    const rows = describeBots([bot]).map(({ rule, shape, mode, hears, does, guarantee, from }) => [
      rule,
      shape,
      mode,
      hears,
      does,
      guarantee,
      from,
    ]);
    expect(rows).toMatchObject([
      [
        'slurs',
        'when',
        'enforce',
        'message.posted',
        expect.stringContaining('member.strike'),
        'advisory',
        'bots/b.yaml:20:5',
      ],
      ['flood', 'when', 'shadow', 'message.posted', expect.anything(), 'advisory', 'bots/b.yaml:26:5'],
      ['raised', 'when', 'shadow', 'member.changed', 'notify.send', 'exact', 'bots/b.yaml:31:5'],
      ['nightly', 'when', 'shadow', 'at 0 4 * * * Europe/Berlin', 'log.write', 'exact', 'bots/b.yaml:38:5'],
      [
        'hls-for-live',
        'keep',
        'shadow',
        'the state of its places',
        'transcoding.start, transcoding.stop',
        'exact',
        'bots/b.yaml:42:5',
      ],
      [
        'pip',
        'keep',
        'enforce',
        'the state of its places',
        'composition.start, composition.update, composition.stop',
        'exact',
        'bots/b.yaml:48:5',
      ],
    ]);
  });
});

describe('values of a file', () => {
  test.each([
    ['${NAME}', 'x y'],
    ['a ${NAME} b', 'a x y b'],
    ['$${NAME}', '${NAME}'],
    ['$NAME {NAME}', '$NAME {NAME}'],
  ])('%s reads %s', (written, read) => {
    const bot = botOf(`version: 1\nbot: b\nas: {screenName: "${written}"}\nrules: []`, {
      env: { NAME: 'x y' },
    });
    expect(bot.as).toEqual({ screenName: read, role: 'Moderator' });
  });

  test('nobody but the bot itself speaks when "as" is left out', () => {
    expect(botOf('version: 1\nbot: b\nrules: []').as).toEqual({ screenName: 'b', role: 'Moderator' });
  });
});

describe('no input makes the compiler throw', () => {
  const outcome = (text: string): string => {
    const compiled = compile(text, around);
    const lines = 'findings' in compiled ? compiled.findings : [];
    for (const line of lines) expect(line).toMatch(/^[^:]+:\d+:\d+ \S/);
    return 'bots' in compiled ? 'bots' : 'findings';
  };
  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ': ',
      '- ',
      '\n',
      '  ',
      '"',
      "'",
      '#',
      '&a ',
      '*a',
      '!x ',
      '|',
      '>',
      '? ',
      '<<: ',
      '${X}',
      '{{x}}',
      '\t',
      '~',
      'null',
      '-1',
      '1e999',
      '.inf',
      '0x1',
      '__proto__: ',
      'constructor: ',
      'true',
      '\u0000',
      '\ud800',
    ),
    fc.string({ maxLength: 5 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const edit = fc.record({ at: fc.nat(HOUSE.length), cut: fc.nat(12), put: piece });

  test('a mutated bot', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const text = edits.reduce(
          (now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut),
          HOUSE,
        );
        expect(['bots', 'findings']).toContain(outcome(text));
      }),
      { numRuns: 150 },
    );
  });

  test('a bot with any value in any place', () => {
    const tokens = HOUSE.split(/(?<=[\s,[\]{}])/);
    fc.assert(
      fc.property(fc.nat(tokens.length - 1), fc.jsonValue({ maxDepth: 2 }), (index, value) => {
        const text = tokens.with(index, `${JSON.stringify(value)} `).join('');
        expect(['bots', 'findings']).toContain(outcome(text));
      }),
      { numRuns: 150 },
    );
  });

  test('any text at all', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(['bots', 'findings']).toContain(outcome(pieces.join('')));
      }),
      { numRuns: 200 },
    );
  });
});
