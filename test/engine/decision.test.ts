import { describe, expect, test } from 'vitest';
import type { ActionDraft } from '../../src/domain/action.ts';
import {
  banMember,
  censorMember,
  hideMessage,
  hideMessages,
  muteMember,
  purgeRoom,
  reply,
  strikeMember,
  terminateStream,
  writeLog,
} from '../../src/plugin/index.ts';
import type { Bot, BoundRule } from '../../src/plugin/bot.ts';
import { bind, bot, ladders, rule } from './bots.ts';
import { joined, member, opened, publishes, says } from './facts.ts';
import { stage, told } from './stage.ts';
import { START } from './virtual-clock.ts';
import type { MessagePosted } from '../../src/domain/event.ts';
import { ACTION_TYPES } from '../../src/domain/action.ts';

/** A rule on messages that may do anything. */
const onMessage = (
  id: string,
  act: (event: MessagePosted) => readonly ActionDraft[],
  more: Partial<BoundRule> = {},
): BoundRule =>
  bind(
    rule(
      id,
      ['message.posted'],
      (event) => (event.type === 'message.posted' ? act(event) : []),
      ACTION_TYPES,
    ),
    more,
  );

const decide = async (
  rules: readonly BoundRule[],
  more: Partial<Bot> = {},
  ...events: readonly MessagePosted[]
) => {
  const one = await stage([bot(rules, more)]);
  await one.feed(opened(), joined('ann'), ...(events.length > 0 ? events : [says('ann', 'x', 10)]));
  return one;
};

describe('merging', () => {
  const mute = (forMs: number) => (event: MessagePosted) => [
    muteMember(event.author, { forMs, because: event }),
  ];
  test.each<[string, readonly BoundRule[], readonly string[]]>([
    [
      'equal targets are one action, the earlier rule’s',
      [onMessage('a', (e) => [hideMessage(e)]), onMessage('b', (e) => [hideMessage(e)])],
      ['message.hide by a → open'],
    ],
    [
      'enforced wins over shadowed',
      [onMessage('a', (e) => [hideMessage(e)], { mode: 'shadow' }), onMessage('b', (e) => [hideMessage(e)])],
      ['message.hide by b → open'],
    ],
    [
      'the longer mute wins',
      [onMessage('a', mute(1_000)), onMessage('b', mute(2_000))],
      ['member.mute by b → performed'],
    ],
    [
      'a shadow mute is another state, so it is another target',
      [onMessage('a', mute(1_000)), onMessage('b', mute(2_000), { mode: 'shadow' })],
      ['member.mute by a → performed', 'member.mute by b → shadowed'],
    ],
    [
      'different replies are different targets',
      [onMessage('a', (e) => [reply(e, 'a')]), onMessage('b', (e) => [reply(e, 'b'), reply(e, 'a')])],
      ['message.send by a → open', 'message.send by b → open'],
    ],
    [
      'stop ends the later rules of the bot',
      [onMessage('a', (e) => [reply(e, 'a')], { stop: true }), onMessage('b', (e) => [reply(e, 'b')])],
      ['message.send by a → open'],
    ],
    [
      'a shadow rule stops shadow rules only',
      [
        onMessage('a', (e) => [reply(e, 'a')], { stop: true, mode: 'shadow' }),
        onMessage('b', (e) => [reply(e, 'b')]),
        onMessage('c', (e) => [reply(e, 'c')], { mode: 'shadow' }),
      ],
      ['message.send by a → shadowed', 'message.send by b → open'],
    ],
    [
      'a rule that does nothing stops nothing',
      [onMessage('a', () => [], { stop: true }), onMessage('b', (e) => [reply(e, 'b')])],
      ['message.send by b → open'],
    ],
    ['except passes over', [onMessage('a', (e) => [reply(e, 'a')], { except: () => true })], []],
    [
      'what is not granted is refused, with the words to change it',
      [onMessage('a', (e) => [reply(e, 'a')], { mayDo: new Set(['message.hide']) })],
      ['message.send by a → refused'],
    ],
    [
      'a log line is done with the decision',
      [onMessage('a', (e) => [writeLog('x', { because: e })])],
      ['log.write by a → performed'],
    ],
  ])('%s', async (_, rules, expected) => {
    const { decided } = await decide(rules);
    expect(told(decided)).toEqual(expected);
  });

  test('of messages hidden by two rules each is hidden once', async () => {
    const { decided } = await decide([
      onMessage('a', (e) => [hideMessage(e)]),
      onMessage('b', (e) => [hideMessages([e.messageId, 'other'], { because: e })]),
      onMessage('c', (e) => [hideMessages([e.messageId, 'other'], { because: e })]),
    ]);
    expect(decided.map(({ action }) => action.type === 'message.hide' && action.messageIds)).toEqual([
      ['m-ann-10-x'],
      ['other'],
    ]);
  });
});

describe('an action', () => {
  test('carries its bot, speaker, guarantee, time and reasons, and the same id each time', async () => {
    const rules = [onMessage('a', (e) => [reply(e, 'one'), reply(e, 'two')])];
    const [first, second] = [await decide(rules), await decide(rules)];
    expect(first.decided[0]?.action).toMatchObject({
      bot: 'house',
      rule: 'a',
      as: { screenName: 'House', role: 'Moderator' },
      guarantee: 'exact',
      decidedAt: START + 10,
      because: ['message.posted room:r1 m-ann-10-x'],
    });
    const ids = first.decided.map(({ action }) => action.id);
    expect(second.decided.map(({ action }) => action.id)).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('cooldown', () => {
  test.each<[string, BoundRule['cooldown'], readonly string[]]>([
    ['per member', { forMs: 1_000, per: 'member' }, ['ann 0', 'bob 100', 'ann 1000']],
    ['per room', { forMs: 1_000, per: 'room' }, ['ann 0', 'ann 1000']],
    ['per rule', { forMs: 1_000, per: 'rule' }, ['ann 0', 'ann 1000']],
  ])('%s', async (_, cooldown, expected) => {
    const greet = onMessage('a', (e) => [reply(e, e.text)], { ...(cooldown && { cooldown }) });
    const one = await stage([bot([greet])]);
    await one.feed(
      opened(),
      says('ann', 'ann 0', 0),
      says('bob', 'bob 100', 100),
      says('ann', 'ann 500', 500),
      says('ann', 'ann 1000', 1_000),
    );
    expect(one.decided.map(({ action }) => action.type === 'message.send' && action.text)).toEqual(expected);
    // What has begun before a crash runs on after it.
    const again = await one.restart();
    await again.feed(says('ann', 'ann 1500', 1_500));
    expect(again.decided).toEqual([]);
  });
});

const chat = ladders({
  name: 'chat',
  decay: { points: 1, everyMs: 10_000 },
  steps: [
    { at: 1, act: ({ event, strikes }) => [reply(event as MessagePosted, `strike ${strikes}`)] },
    { at: 2, act: ({ event, member }) => [muteMember(member, { forMs: 60_000, because: event })] },
    { at: 3, act: ({ event, member }) => [censorMember(member, { because: event, watchMs: 60_000 })] },
  ],
});
const strike = onMessage('a', (e) =>
  e.text === 'x' ? [strikeMember(e.author, { ladder: 'chat', because: e })] : [],
);

describe('strikes', () => {
  test('take the highest step that the points reach, and fade', async () => {
    const { decided } = await decide(
      [strike],
      { ladders: chat },
      says('ann', 'x', 0),
      says('ann', 'x', 9_000),
      says('bob', 'x', 9_000),
      // 2 points at 9 s; one fades at 10 s, the other at 20 s.
      says('ann', 'x', 19_000),
    );
    expect(told(decided)).toEqual([
      'member.strike by a → performed',
      'message.send by a → open',
      'member.strike by a → performed',
      'member.mute by a → performed',
      'member.strike by a → performed',
      'message.send by a → open',
      'message.hide by house/mute → open',
      'member.strike by a → performed',
      'member.mute by a → performed',
    ]);
    expect(decided.map(({ settled }) => settled?.detail)[0]).toBe('1 on chat');
  });

  test('of two rules on one event count once; those of a shadow rule are its own', async () => {
    const { decided } = await decide(
      [strike, { ...strike, id: 'b' }, { ...strike, id: 'c', mode: 'shadow' }],
      { ladders: chat },
      says('ann', 'x', 10),
    );
    expect(decided.map(({ settled, action }) => `${action.rule} ${action.type} ${settled?.detail}`)).toEqual([
      'a member.strike 1 on chat',
      'c member.strike 1 on chat',
      'a message.send undefined',
    ]);
  });

  test('a step that strikes again does not go on for ever', async () => {
    const endless = ladders({
      name: 'chat',
      steps: [
        { at: 1, act: ({ event, member }) => [strikeMember(member, { ladder: 'chat', because: event })] },
      ],
    });
    const { decided } = await decide([strike], { ladders: endless }, says('ann', 'x', 10));
    expect(told(decided)).toEqual(['member.strike by a → performed']);
  });

  test('a step that throws loses the step and not the strike', async () => {
    const broken = ladders({
      name: 'chat',
      steps: [
        {
          at: 1,
          act: () => {
            throw new Error('no');
          },
        },
      ],
    });
    const { decided, store } = await decide([strike], { ladders: broken }, says('ann', 'x', 10));
    expect(told(decided)).toEqual(['member.strike by a → performed']);
    expect(await store.journal.read({ types: ['rule.failed'] })).toMatchObject([
      { event: { rule: 'a', error: 'no' } },
    ]);
  });
});

describe('censor', () => {
  const censor = onMessage('a', (e) => [
    censorMember(e.author, { because: e, watchMs: 60_000, reason: 'censored' }),
  ]);

  test('ends every live stream, and what is published again by session or by name while the watch lasts', async () => {
    const one = await stage([bot([censor])]);
    await one.feed(
      opened(),
      joined('ann'),
      publishes('ann', 's1', 1),
      publishes('ann', 's2', 2),
      publishes('bob', 's3', 3),
      says('ann', 'x', 10),
      publishes('ann', 's4', 20),
      // Another session under a look-alike of the name, known only when the member list shows it.
      publishes('other', 's5', 30),
      joined(member('other', { screenName: 'Аnn', lastUpdate: START + 40 }), 40),
      publishes('ann', 's6', 70_000),
    );
    const ended = one.decided.flatMap(({ action }) =>
      action.type === 'stream.terminate' ? [`${action.streamId} ${action.rule}`] : [],
    );
    expect(ended).toEqual(['s1 a', 's2 a', 's4 house/watch', 's5 house/watch']);
    expect(told(one.decided)[0]).toBe('member.censor by a → performed');
  });

  test('a watch survives a restart', async () => {
    const one = await stage([bot([censor])]);
    await one.feed(opened(), joined('ann'), says('ann', 'x', 10));
    const again = await one.restart();
    await again.feed(publishes('ann', 's1', 20));
    expect(told(again.decided)).toEqual(['stream.terminate by house/watch → open']);
  });

  test('in shadow it ends nothing, now or later', async () => {
    const one = await stage([bot([{ ...censor, mode: 'shadow' }])]);
    await one.feed(
      opened(),
      joined('ann'),
      publishes('ann', 's1', 1),
      says('ann', 'x', 10),
      publishes('ann', 's2', 20),
    );
    expect(one.intents).toEqual([]);
    expect(told(one.decided)).toEqual([
      'member.censor by a → shadowed',
      'stream.terminate by a → shadowed',
      'stream.terminate by house/watch → shadowed',
    ]);
  });
});

describe('bans', () => {
  test('hide what is written and end what is published, also what is live when the ban is recorded', async () => {
    const one = await stage([
      bot([
        onMessage('a', (e) => (e.text === 'x' ? [banMember(e.author, { forMs: 60_000, because: e })] : [])),
      ]),
    ]);
    await one.feed(opened(), joined('ann'), publishes('ann', 's1', 1), says('ann', 'x', 10));
    const ban = one.decided[0]!.action;
    expect(told(one.decided)).toEqual(['member.ban by a → open']);
    one.bans.push({
      bot: 'house',
      member: 'session:ann',
      screenName: 'ann',
      reason: '',
      until: START + 60_000,
      action: ban.id,
    });
    await one.settle(ban);
    await one.feed(
      says('ann', 'y', 20),
      publishes('ann', 's2', 30),
      says('bob', 'y', 40),
      publishes('bob', 's3', 50),
    );
    expect(told(one.decided).slice(1)).toEqual([
      'stream.terminate by house/ban → open',
      'message.hide by house/ban → open',
      'stream.terminate by house/ban → open',
    ]);
  });
});

describe('what is refused', () => {
  const punish = (e: MessagePosted) => [
    hideMessage(e),
    muteMember(e.author, { forMs: 1, because: e }),
    banMember(e.author, { forMs: 1, because: e }),
    strikeMember(e.author, { ladder: 'chat', because: e }),
    censorMember(e.author, { because: e }),
    terminateStream('s1', { because: e }),
  ];

  test('what happened long ago, while nobody was there, is hidden and not punished', async () => {
    const old = says('ann', 'x', 0, { source: 'reconcile', seenAt: START + 300_001 });
    const { decided, intents } = await decide([onMessage('a', punish)], { ladders: chat }, old);
    expect(told(intents)).toEqual(['message.hide by a → open']);
    expect(decided.filter(({ settled }) => settled?.outcome === 'refused')).toHaveLength(5);
    expect(decided[0]?.settled?.detail).toMatch(/too long ago to punish/);
  });

  test('what happened lately is punished, whoever found it', async () => {
    const young = says('ann', 'x', 0, { source: 'reconcile', seenAt: START + 299_000 });
    const { decided } = await decide([onMessage('a', punish)], { ladders: chat }, young);
    expect(decided.filter(({ settled }) => settled?.outcome === 'refused')).toEqual([]);
  });

  test('what may have been answered before history was lost is not answered twice, but hidden and counted', async () => {
    const answer = (e: MessagePosted) => [reply(e, 'Hello'), ...punish(e)];
    const one = await stage([bot([onMessage('a', answer)], { ladders: chat })], { quietBefore: START + 1 });
    const [before, after] = [says('ann', 'x', 0), says('ann', 'y', 1)];
    await one.feed(opened(), joined('ann'), before, after);
    const refused = one.decided.filter(({ settled }) => /not done twice/.test(settled?.detail ?? ''));
    expect(new Set(refused.map(({ action }) => action.type))).toEqual(new Set(['message.send']));
    expect(new Set(refused.flatMap(({ action }) => action.because))).toEqual(new Set([before.id]));
    expect(one.intents.map(({ action }) => action.type)).toContain('message.send');
  });

  test('what cannot be undone needs an author that the member list confirms', async () => {
    const { decided } = await decide(
      [onMessage('a', (e) => [...punish(e), purgeRoom({ because: e })])],
      { ladders: chat },
      says('eve', 'x', 10),
    );
    const refused = decided.filter(({ settled }) => settled?.outcome === 'refused');
    expect(refused.map(({ action }) => action.type)).toEqual(['member.ban', 'member.censor', 'room.purge']);
    expect(refused[0]?.settled?.detail).toMatch(/the author is only claimed/);
  });

  test('a name is nobody’s: what cannot be undone needs a session', async () => {
    const { decided } = await decide([
      onMessage('a', (e) => [banMember('name:eve', { forMs: 1, because: e })]),
    ]);
    expect(decided[0]?.settled).toMatchObject({ outcome: 'refused' });
  });

  test('our own messages and streams reach no rule', async () => {
    const hears = rule('a', ['message.posted', 'stream.started'], (event) => [
      writeLog(event.type, { because: event }),
    ]);
    const one = await stage([bot([bind(hears)])]);
    await one.feed(
      opened(),
      says('ann', 'x', 1, { own: true }),
      publishes('ann', 's1', 2, { own: true, causedBy: 'unknown' }),
    );
    expect(one.decided).toEqual([]);
  });
});
