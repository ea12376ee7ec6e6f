import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';

const findingsOf = (text: string, env: Record<string, string> = {}): readonly string[] => {
  const compiled = compile(text, { env });
  return 'findings' in compiled ? compiled.findings.map((line) => line.replace('bots/b.yaml:', '')) : [];
};
const HEAD = `version: 1
bot: b
lists: {slurs: {terms: [slur]}}
strikes: {chat: {ladder: [{at: 1, do: [{mute: 1m}]}]}, other: {ladder: [{at: 1, do: hide}]}}
notify: {mods: {webhook: "https://pager.example"}}
rules:
`;
/** A rule on line 7, its keys from column 5 on. */
const inRule = (rule: string): readonly string[] =>
  findingsOf(`${HEAD}  - ${rule.replaceAll('\n', '\n    ')}`);

describe('a finding says where and what to do', () => {
  test.each([
    // [rule, findings]
    [
      'id: x\nwhen: mesage\nthen: hide',
      ['8:11 rules.0.when.mesage: unknown event "mesage" - did you mean "message"?'],
    ],
    [
      'id: x\nwhen: message\nthen:\n  - censer: {reason: x}',
      ['10:9 rules.0.then.0.censer: unknown action "censer" - did you mean "censor"?'],
    ],
    [
      'id: x\nwhen: message\nthen: [hide, censer]',
      ['9:18 rules.0.then.1.censer: unknown action "censer" - did you mean "censor"?'],
    ],
    [
      'id: x\nwhen: message\nthen: [{kill: {reason: x}}]',
      ['9:13 rules.0.then.0.kill: unknown action "kill": it is planned for a later version'],
    ],
    [
      'id: x\nwhen: track.changed\nthen: hide',
      ['8:11 rules.0.when.track.changed: unknown event "track.changed": it is planned for a later version'],
    ],
    [
      'id: x\nwhen: message\nif: {links: {min: 1}}\nthen: hide',
      ['9:10 rules.0.if.links: unknown condition "links": it is planned for a later version'],
    ],
    [
      'id: x\nwhen: message\nif: {text: {caps: {over: 1}}}\nthen: hide',
      ['9:17 rules.0.if.text.caps: "caps" is not there yet: it is planned for a later version'],
    ],
    [
      'id: x\nwhen: message\nmode: review\nthen: hide',
      ['9:11 rules.0.mode: the mode "review" is not there yet: it is planned for a later version'],
    ],
    [
      'id: x\nwhen: message\ntests: []\nthen: hide',
      ['9:5 rules.0.tests: "tests" is not there yet: it is planned for a later version'],
    ],
    [
      'id: x\nwhen: message\nmod: shadow\nthen: hide',
      ['9:5 rules.0.mod: unknown key "mod" - did you mean "mode"?'],
    ],
    [
      'id: x\nwhen: message\nmode: enforced\nthen: hide',
      ['9:11 rules.0.mode: unknown value "enforced" - did you mean "enforce"?'],
    ],
    [
      'id: x\nwhen: member.joined\nthen: hide',
      [
        '9:11 rules.0.then.hide: "hide" needs a message, and "member.joined" has none: it goes with message, command',
      ],
    ],
    [
      'id: x\nwhen: message\nthen: terminate',
      [
        '9:11 rules.0.then.terminate: "terminate" needs a live stream, and "message" has none: it goes with stream.started, stream.live',
      ],
    ],
    [
      'id: x\nwhen: room.closed\nthen: [{announce: bye}]',
      [expect.stringContaining('9:13 rules.0.then.0.announce: "announce" needs an open room')],
    ],
    [
      'id: x\nwhen: stream.started\nif: {text: {any: [x]}}\nthen: [{log: x}]',
      ['9:10 rules.0.if.text: "text" needs a message, and "stream.started" has none'],
    ],
    [
      'id: x\nwhen: message\nif: {text: {list: slur}}\nthen: hide',
      ['9:23 rules.0.if.text.list: unknown list "slur" - did you mean "slurs"?'],
    ],
    [
      'id: x\nwhen: message\nif: {text: {pattern: "(a)(?=b)"}}\nthen: hide',
      [expect.stringContaining('9:26 rules.0.if.text.pattern: not a pattern of RE2')],
    ],
    [
      'id: x\nwhen: message\nif: {text: {any: [a], list: slurs}}\nthen: hide',
      [
        '9:16 rules.0.if.text: give exactly one of any, list and pattern; several texts are several conditions',
      ],
    ],
    [
      'id: x\nwhen: message\nif: {text: {any: ["\u200b"]}}\nthen: hide',
      [expect.stringContaining('9:23 rules.0.if.text.any.0: ')],
    ],
    [
      'id: x\nwhen: message\nif: {rate: {count: 6, within: 8}}\nthen: hide',
      [
        '9:35 rules.0.if.rate.within: "8" does not fit, expected a duration such as 500ms, 10s, 5m, 2h or 30d',
      ],
    ],
    [
      'id: x\nwhen: message\nif: {rate: {count: 6, within: 8w}}\nthen: hide',
      [expect.stringContaining('9:35 rules.0.if.rate.within: "8w" is no duration')],
    ],
    [
      'id: x\nwhen: room.opened\nif: {rate: {count: 6, within: 8s, per: member}}\nthen: [{log: x}]',
      [expect.stringContaining('9:16 rules.0.if.rate: per: member needs a member')],
    ],
    [
      'id: x\nwhen: message\nif: {member: {role: Admin}}\nthen: hide',
      [
        '9:25 rules.0.if.member.role: unknown value "Admin", expected one of Participant, Moderator, Presenter, Audience',
      ],
    ],
    [
      'id: x\nwhen: message\nif: {}\nthen: hide',
      ['9:9 rules.0.if: an empty condition says nothing: write one, or leave it out'],
    ],
    [
      'id: x\nwhen: message\nif: {any: []}\nthen: hide',
      ['9:15 rules.0.if.any: an empty condition says nothing: write one, or leave it out'],
    ],
    [
      'id: x\nwhen: message\nif: all\nthen: hide',
      ['9:9 rules.0.if.all: "all" stands around other conditions: {all: […]}'],
    ],
    [
      'id: x\nwhen: message\nthen: [{notify: mod}]',
      ['9:21 rules.0.then.0.notify: unknown notify target "mod" - did you mean "mods"?'],
    ],
    [
      'id: x\nwhen: message\nthen: [{strike: {ladder: chta}}]',
      ['9:30 rules.0.then.0.strike.ladder: unknown ladder "chta" - did you mean "chat"?'],
    ],
    [
      'id: x\nwhen: message\nthen: strike',
      ['9:11 rules.0.then: several ladders are defined: say which, ladder: chat or other'],
    ],
    [
      'id: x\nwhen: member.joined\nthen: [{strike: {ladder: other}}]',
      [
        '9:21 rules.0.then.0.strike: the ladder "other" may hide, which needs a message, and "member.joined" has none',
      ],
    ],
    [
      'id: x\nwhen: message\nthen: [{reply: "{{member.nam}}"}]',
      ['9:20 rules.0.then.0.reply: unknown placeholder "{{member.nam}}" - did you mean "member.name"?'],
    ],
    [
      'id: x\nwhen: message\nif: {text: {any: [x]}}\nthen: [{reply: "no {{match}}"}]',
      [
        '10:20 rules.0.then.0.reply: "{{match}}" would repeat in public what was said: it is for "notify" and "log" only',
      ],
    ],
    [
      'id: x\nwhen: message\nthen: [{log: "{{match}}"}]',
      ['9:18 rules.0.then.0.log: "{{match}}" needs a matched text, and there is none here'],
    ],
    [
      'id: x\nwhen: message\nthen: [{log: "{{args.0}"}]',
      ['9:18 rules.0.then.0.log: a placeholder is written {{name}}: these braces do not pair'],
    ],
    [
      `id: x\nwhen: message\nthen: [{reply: "${'é'.repeat(513)}"}]`,
      ['9:20 rules.0.then.0.reply: the text has 1026 bytes before anything is filled in, the limit is 1024'],
    ],
    [
      'id: x\nwhen: message\nthen: mute',
      ['9:11 rules.0.then.mute: "mute" needs a value, as in then: [{mute: 10m}]'],
    ],
    [
      'id: x\nwhen: message\nthen: [{mute: }]',
      ['9:13 rules.0.then.0.mute: "mute" needs a value, as in then: [{mute: 10m}]'],
    ],
    [
      'id: x\nwhen: message\nthen: [{mute: 1m, hide: matched}]',
      ['9:12 rules.0.then.0: one action an item: mute, hide stand in one'],
    ],
    ['id: x\nwhen: message\nthen: []', ['9:11 rules.0.then: no action is listed: write one, such as hide']],
    ['id: x\nwhen: message', ['7:5 rules.0.then: missing, expected actions such as [hide]']],
    ['when: message\nthen: hide', ['7:5 rules.0.id: missing, expected text']],
    [
      'id: "a b"\nwhen: message\nthen: hide',
      ['7:9 rules.0.id: a name is 1 to 64 letters, digits, dots, dashes and underscores'],
    ],
    [
      'id: x\nwhen: [message, command]\nthen: hide',
      [expect.stringContaining('8:11 rules.0.when: a rule hears one kind of event')],
    ],
    [
      'id: x\nwhen: {message: , member.joined: }\nthen: hide',
      [
        '8:23 rules.0.when.member.joined: "member.joined" cannot stand beside "message": a rule hears one kind of event',
      ],
    ],
    ['id: x\nwhen: {every: 10ms}\nthen: [{log: x}]', ['8:19 rules.0.when.every: must be at least 1s']],
    [
      'id: x\nwhen: {schedule: "99 * * * *"}\nthen: [{log: x}]',
      [expect.stringContaining('8:22 rules.0.when.schedule: not a cron expression')],
    ],
    [
      'id: x\nwhen: {schedule: "0 4 * * *", tz: Berlin}\nthen: [{log: x}]',
      ['8:39 rules.0.when.tz: unknown time zone "Berlin": write one such as Europe/Berlin'],
    ],
    [
      'id: x\nwhen: {publishers: {up: 2, down: 1}}\nthen: [{log: x}]',
      ['8:24 rules.0.when.publishers: give one of crosses, up and down'],
    ],
    [
      'id: x\nmode: enforce\nwhen: message\nthen: purge',
      [
        '10:11 rules.0.then: purge deletes every message of a room: to let this rule enforce it, write {purge: {approved: true}}',
      ],
    ],
    [
      'id: x\nwen: message\nthen: hide',
      ['8:5 rules.0.wen: a rule has one of when (with then), keep and use - did you mean "when"?'],
    ],
    [
      'id: x\nwhen: message\nkeep: composition\nthen: hide',
      ['9:5 rules.0.keep: a rule has either "when" or "keep": write two rules'],
    ],
    [
      'id: x\nkeep: slowMode',
      ['8:11 rules.0.keep: unknown keeper "slowMode": it is planned for a later version'],
    ],
    [
      'id: x\nkeep: transcodng',
      ['8:11 rules.0.keep: unknown keeper "transcodng" - did you mean "transcoding"?'],
    ],
    [
      'id: x\nkeep: transcoding\nwhile: {text: {any: [x]}}',
      [
        '9:13 rules.0.while.text: "text" looks at an event, "while" can ask publishing, room, publishers alone',
      ],
    ],
    [
      'id: x\nkeep: transcoding\ntranscoding: {type: HSL}',
      ['9:25 rules.0.transcoding.type: unknown value "HSL" - did you mean "HLS"?'],
    ],
    [
      'id: x\nkeep: composition\ninsets: {anchor: BottomRight, stack: down}',
      ['9:42 rules.0.insets.stack: from BottomRight insets can stack up or left, down leaves the picture'],
    ],
    [
      'id: x\nkeep: composition\ncapabilities: [hd, prefer-h265]',
      ['9:24 rules.0.capabilities.1: unknown value "prefer-h265" - did you mean "prefer-h264"?'],
    ],
    ['id: x\nuse: flood-guard', ['8:10 rules.0.use: unknown plugin "flood-guard": no plugin is loaded']],
    ['17', ['7:5 rules.0: a rule is a map (id, when, if, then, …), this is a scalar']],
  ])('%s', (rule, findings) => {
    expect(inRule(rule)).toEqual(findings);
  });

  test.each([
    ['', ['1:1 the file is empty: it needs at least "version: 1", "bot: a-name" and "rules:"']],
    ['# nothing\n', ['1:1 the file is empty: it needs at least "version: 1", "bot: a-name" and "rules:"']],
    ['- a\n- b', ['1:1 a bot file is a map (version, bot, rules, …), this is a list']],
    ['version: 2\nbot: b\nrules: []', ['1:10 version: this usher reads bot files of "version: 1"']],
    ['bot: b\nrules: []', ['1:1 version: this usher reads bot files of "version: 1"']],
    ['version: 1\nbot: b\nrules:\n', ['3:7 rules: is empty, expected a list']],
    [
      'version: 1\nbot: b\nrules:\n\t- id: x',
      [expect.stringContaining('a tab cannot indent YAML: use spaces')],
    ],
    ['version: 1\nbot: b\nbot: c\nrules: []', ['3:1 bot: duplicate key "bot", first on line 2']],
    [
      'version: 1\nbot: b\nrules: []\n---\nversion: 1',
      ['4:1 one file holds one bot: a second document starts here'],
    ],
    [
      'version: 1\nbot: b\n<<: {a: 1}\nrules: []',
      ['3:1 <<: merge keys are not read: use "defaults", or write the keys out'],
    ],
    ['version: 1\nbot: *b\nrules: []', [expect.stringContaining('2:6')]],
    ['version: 1\nbot: !name b\nrules: []', [expect.stringContaining('2:6 ')]],
    ['version: 1\nbot: b\nrules: [', [expect.stringContaining('3:9 ')]],
    ['version: 1\nbot: b\n? [a]\n: 1\nrules: []', ['3:3 ?: a key must be a word']],
    [
      'version: 1\nbot: b\nnotify: {mods: {webhook: "${PAGER}"}}\nrules: []',
      ['3:26 notify.mods.webhook: the environment variable PAGER is not set'],
    ],
    [
      'version: 1\nbot: b\nnotify: {mods: {webhook: "mailto:x"}}\nrules: []',
      ['3:26 notify.mods.webhook: must be an address that begins with https:// or http://'],
    ],
    [
      'version: 1\nbot: b\nlists: {x: {file: no.txt}}\nrules: []',
      [expect.stringContaining('3:19 lists.x.file: cannot read bots/no.txt: ENOENT')],
    ],
    [
      'version: 1\nbot: b\nlists: {x: {policy: p.yaml}}\nrules: []',
      [expect.stringContaining('"policy" is not there yet')],
    ],
    [
      'version: 1\nbot: b\nlists: {x: {terms: [not a domain], match: domain}}\nrules: []',
      [expect.stringContaining('3:21 lists.x.terms.0: ')],
    ],
    [
      'version: 1\nbot: b\ndefaults: {brake: {maxShare: 5%}}\nrules: []',
      ['3:12 defaults.brake: "brake" is not there yet: it is planned for a later version'],
    ],
    [
      'version: 1\nbot: b\nstrikes: {c: {ladder: [{at: 2, do: hide}, {at: 1, do: hide}]}}\nrules: []',
      ['3:48 strikes.c.ladder.1.at: steps stand in rising order of "at"'],
    ],
    [
      'version: 1\nbot: b\nstrikes: {c: {ladder: [{at: 2, do: strike}]}}\nrules: []',
      ['3:36 strikes.c.ladder.0.do.strike: "strike" cannot stand in a ladder: it would climb by itself'],
    ],
    [
      'version: 1\nbot: b\nstrikes: {c: {ladder: [{at: 2, do: [{reply: {text: x, cooldown: 1m}}]}]}}\nrules: []',
      [
        '3:65 strikes.c.ladder.0.do.0.reply.cooldown: a ladder has no cooldown: put it on the rule that strikes',
      ],
    ],
    [
      'version: 1\nbot: b\nrules: [{id: a, when: message, then: hide}, {id: a, when: message, then: hide}]',
      ['3:50 rules.1.id: duplicate id "a", first on line 3'],
    ],
    ['x'.repeat(1_000_001), [expect.stringContaining('1:1 the file has 1000001 characters')]],
  ])('%j', (text, findings) => {
    expect(findingsOf(text)).toEqual(findings);
  });

  test('everything that is wrong is told at once, in order, each thing once', () => {
    const lines = findingsOf(`version: 1
bot: house
colour: red
lists:
  slurs: {terms: [slur], match: words}
strikes:
  chat: {ladder: [{at: 1, do: [{reply: "{{nobody}}"}]}], decay: {points: 1, every: day}}
rules:
  - id: a
    when: message
    if: {text: {list: slurs}}
    then: [hide, {strike: {ladder: chat}}, {notify: mods}]
  - id: b
    when: mesage
    then: [hide]
`);
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      '3:1 colour:',
      '5:33 lists.slurs.match:',
      '7:40 strikes.chat.ladder.0.do.0.reply:',
      '7:84 strikes.chat.decay.every:',
      '12:53 rules.0.then.2.notify:',
      '14:11 rules.1.when.mesage:',
    ]);
  });

  test('nesting and aliases cannot blow a file up', () => {
    const deep = (levels: number) => `version: 1\nbot: b\nrules: ${'['.repeat(levels)}${']'.repeat(levels)}`;
    for (const text of [
      deep(100),
      deep(100_000),
      '- '.repeat(10_000),
      Array.from({ length: 900 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    ])
      expect(findingsOf(text)).toEqual(['1:1 the file is nested too deeply: more than 60 levels']);
    const laughs = Array.from(
      { length: 20 },
      (_, i) => `  a${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1}, *a${i - 1}`}]`,
    ).join('\n');
    expect(findingsOf(`version: 1\nbot: b\nlists:\n${laughs}\nrules: []`)).toContainEqual(
      expect.stringContaining('too many values'),
    );
  });

  test('a filled-in secret is never shown', () => {
    const lines = findingsOf(
      'version: 1\nbot: b\nnotify: {m: {webhook: "${TOKEN}"}}\nrules: [{id: "${TOKEN}", when: "${TOKEN}", then: hide, mode: "${TOKEN}"}]',
      { TOKEN: 's3cret' },
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join('\n')).not.toContain('s3cret');
  });

  test('two files may not hold one bot, and problems of a list file name its line', () => {
    const text = 'version: 1\nbot: b\nlists: {x: {file: x.txt}}\nrules: []';
    const compiled = compile('', {
      files: [
        { path: 'bots/a.yaml', text },
        { path: 'bots/b.yaml', text },
      ],
      readFile: () => 'one\none\n',
    });
    expect(compiled).toMatchObject({
      reads: ['bots/x.txt'],
      findings: [
        'bots/x.txt:2:1 "one" is already on line 1; remove one of the two',
        'bots/b.yaml:2:6 bot: duplicate bot "b", first in bots/a.yaml',
      ],
    });
  });
});

describe('a warning stops nothing', () => {
  const warningsOf = (rule: string, head = ''): readonly string[] => {
    const compiled = compile(`version: 1\nbot: b\n${head}\nrules:\n  - {id: x, ${rule}}`);
    return 'bots' in compiled ? compiled.warnings : compiled.findings;
  };

  test.each([
    ['mode: enforce, when: message, then: hide', '', '5:49 rules.0.then.hide: "hide" is advisory'],
    ['mode: enforce, when: message, then: [{mute: 1m}]', '', 'rules.0.then.0.mute: "mute" is advisory'],
    [
      'mode: enforce, when: message, then: strike',
      'strikes: {c: {ladder: [{at: 1, do: hide}]}}',
      'strikes.c.ladder.0.do.hide: "hide" is advisory',
    ],
    ['when: message, in: {channels: ["*"]}, then: hide', '', '5:32 rules.0.in: "message" happens in rooms'],
    [
      'when: member.joined, in: {channels: ["*"]}, then: [{log: x}]',
      'in: {rooms: ["*"]}',
      `rules.0.in: the bot's "in" leaves out the channels`,
    ],
    [
      'when: message, in: {types: [DirectChat]}, then: hide',
      'in: {types: [TownHall]}',
      'rules.0.in: the bot acts in TownHall alone',
    ],
    [
      'when: message, if: {member: {role: Moderator}}, then: hide',
      'defaults: {except: {role: [Moderator]}}',
      'rules.0.if.member.role: only Moderator would do, and "except" passes them over',
    ],
    [
      'when: message, if: {publishers: {over: 3, under: 4}}, then: hide',
      '',
      'rules.0.if.publishers: no number lies within these bounds',
    ],
  ])('%s', (rule, head, warning) => {
    expect(warningsOf(rule, head)).toEqual([expect.stringContaining(warning)]);
  });

  test.each([
    ['mode: enforce, when: message, then: hide', 'clients: cooperating'],
    ['mode: shadow, when: message, then: hide', ''],
    [
      'when: message, if: {member: {role: [Moderator, Audience]}}, then: hide',
      'defaults: {except: {role: [Moderator]}}',
    ],
  ])('none for %s', (rule, head) => {
    expect(warningsOf(rule, head)).toEqual([]);
  });
});
