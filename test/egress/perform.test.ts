import { describe, expect, test } from 'vitest';
import { MockAgent } from 'undici';
import type { Action, ActionType } from '../../src/domain/action.ts';
import { ACTION_TYPES } from '../../src/domain/action.ts';
import type { Ban } from '../../src/engine/ports.ts';
import { StoreError } from '../../src/errors.ts';
import type { KnownMessage } from '../../src/egress/action-history.ts';
import type { Ask, Deed } from '../../src/egress/deed.ts';
import { fateOfError } from '../../src/egress/fate-of-error.ts';
import { createPerform } from '../../src/egress/perform.ts';
import { action, channel, room } from './actions.ts';
import { message, says, scriptedPlatform, type Answer } from './scripted-platform.ts';
import { virtualClock } from './virtual-clock.ts';

const NOW = 1_800_000_000_000;

function rig(
  answer: (nth: number) => Answer,
  more: {
    own?: Record<string, string>;
    known?: KnownMessage;
    ban?: (ban: Ban) => void;
    webhook?: string;
    agent?: MockAgent;
  } = {},
) {
  const { client, requests } = scriptedPlatform((_, nth) => answer(nth));
  let tokens = 0;
  const ask: Ask = {
    signal: new AbortController().signal,
    deadlineMs: 1_000,
    token: () => Promise.resolve(void (tokens += 1)),
  };
  const perform = createPerform({
    client,
    operator: { ban: (ban) => Promise.resolve(more.ban?.(ban)) },
    clock: virtualClock(NOW),
    webhookOf: () => more.webhook,
    history: {
      messageBefore: () => Promise.resolve(more.known),
      streamOf: ({ id }) => Promise.resolve(more.own?.[id]),
    },
    ...(more.agent && { notices: more.agent }),
  });
  const call = (deed: Deed) => deed.call(ask).catch((error: unknown) => fateOfError(error));
  return { perform, requests, ask, call, tokens: () => tokens };
}

const from = { screenName: 'House', role: 'Moderator', lastUpdate: NOW };
const tagsOf = (type: ActionType) => ['roomId:eu#room.1', 'bot:house', `op:id-${type}`];

/** One line an action type: what it sends, and what it makes of success. A type without a line does not compile. */
const requests: Readonly<
  Record<
    ActionType,
    {
      readonly answer?: Answer;
      readonly sent?: readonly object[];
      readonly fate: object;
      readonly repeatable: boolean;
    }
  >
> = {
  'message.send': {
    answer: says(200, 'ok', { message: message('m1') }),
    sent: [
      {
        method: 'PUT',
        target: '/svc/room/eu#room.1/message',
        body: {
          message: {
            from,
            mimeType: 'text/plain',
            message: 'hello',
            tags: ['op:id-message.send', 'bot:house', 'topic:greeting'],
          },
        },
      },
    ],
    fate: { kind: 'done', result: { messageId: 'm1' } },
    repeatable: false,
  },
  'message.hide': {
    answer: says(200, 'ok', { message: message('m2') }),
    sent: [
      {
        method: 'PUT',
        target: '/svc/room/eu#room.1/message',
        body: {
          message: {
            from,
            mimeType: 'application/vnd.usher.moderation+json',
            message: '{"v":1,"hide":["eu#m|1|0001"]}',
            tags: ['bot:house', 'op:id-message.hide'],
          },
        },
      },
    ],
    fate: { kind: 'done', result: { messageId: 'm2' } },
    repeatable: true,
  },
  'room.purge': {
    answer: says(200, 'ok', { deletedCount: 7 }),
    sent: [{ method: 'DELETE', target: '/svc/room/eu#room.1/messages', body: null }],
    fate: { kind: 'done', result: { deletedCount: '7' } },
    repeatable: false,
  },
  'stream.terminate': {
    answer: says(200, 'ok'),
    sent: [
      {
        method: 'DELETE',
        target: '/svc/stream',
        body: expect.objectContaining({ streamId: 'eu#s.1', reason: 'censored' }) as object,
      },
    ],
    fate: { kind: 'done', detail: 'stream ended' },
    repeatable: true,
  },
  'transcoding.start': {
    answer: says(200, 'ok', { transcodingId: 'eu#t.1' }),
    sent: [
      {
        method: 'POST',
        target: '/svc/transcoding',
        body: {
          transcoding: {
            type: 'HLS',
            originStreamId: 'eu#s.1',
            onDemand: true,
            quality: 'hd',
            videoOnly: true,
            capabilities: ['prefer-h264'],
            tags: ['kind:auto', ...tagsOf('transcoding.start')],
          },
        },
      },
    ],
    fate: { kind: 'done', result: { transcodingId: 'eu#t.1' } },
    repeatable: true,
  },
  'transcoding.stop': {
    answer: says(200, 'ok'),
    sent: [{ method: 'DELETE', target: '/svc/transcoding/eu#t.1', body: { reason: 'unused' } }],
    fate: { kind: 'done', detail: 'transcoding stopped' },
    repeatable: true,
  },
  'composition.start': {
    answer: says(200, 'ok', { compositionId: 'eu#c.1' }),
    sent: [
      {
        method: 'POST',
        target: '/svc/composition',
        body: {
          composition: {
            type: 'PictureInPicture',
            streams: [
              { streamId: 'eu#s.1' },
              {
                streamId: 'eu#s.2',
                offset: { anchor: 'BottomRight', x: 16, y: 16 },
                width: 320,
                height: 180,
              },
            ],
            capabilities: ['hd'],
            tags: ['kind:pip', ...tagsOf('composition.start')],
          },
        },
      },
    ],
    fate: { kind: 'done', result: { compositionId: 'eu#c.1' } },
    repeatable: false,
  },
  'composition.update': {
    answer: says(200, 'ok'),
    sent: [{ method: 'PUT', target: '/svc/composition/eu#c.1', body: { streams: [{ streamId: 'eu#s.2' }] } }],
    fate: { kind: 'done', result: { compositionId: 'eu#c.1' } },
    repeatable: true,
  },
  'composition.stop': {
    answer: says(200, 'ok'),
    sent: [{ method: 'DELETE', target: '/svc/composition/eu#c.1', body: { reason: 'unused' } }],
    fate: { kind: 'done', detail: 'composition stopped' },
    repeatable: true,
  },
  'member.ban': { fate: { kind: 'done', result: { until: String(NOW + 60_000) } }, repeatable: true },
  'notify.send': { fate: { kind: 'failed' }, repeatable: true },
  'member.censor': { fate: { kind: 'failed' }, repeatable: true },
  'member.mute': { fate: { kind: 'failed' }, repeatable: true },
  'member.strike': { fate: { kind: 'failed' }, repeatable: true },
  'log.write': { fate: { kind: 'failed' }, repeatable: true },
};

describe('what each action sends', () => {
  test.each(ACTION_TYPES)('%s', async (type) => {
    const expected = requests[type];
    const { perform, requests: sent, call } = rig(() => expected.answer ?? says(500, 'unexpected'));
    const deed = perform(action(type));
    expect(await call(deed)).toMatchObject(expected.fate);
    expect(sent).toEqual(expected.sent ?? []);
    expect(deed.repeatable).toBe(expected.repeatable);
  });
});

describe('what each action makes of an answer', () => {
  const table: readonly [ActionType, Answer, object][] = [
    ['message.send', says(404, 'not-found'), { kind: 'failed' }],
    ['message.send', says(400, 'bad'), { kind: 'failed' }],
    ['message.send', says(413, 'too large'), { kind: 'failed' }],
    ['message.send', says(401, 'unauthorized'), { kind: 'unauthorized' }],
    ['message.send', says(503, 'capacity'), { kind: 'again', limited: true }],
    ['message.send', says(504, 'rate-limited'), { kind: 'again', limited: true }],
    ['message.send', 'ECONNREFUSED', { kind: 'again', limited: false }],
    ['message.send', { status: 504, text: '<html>' }, { kind: 'doubt' }],
    ['message.send', says(500, 'oops'), { kind: 'doubt' }],
    ['message.send', 'ECONNRESET', { kind: 'doubt' }],
    ['message.send', { status: 200, text: '<html>' }, { kind: 'doubt' }],
    ['message.hide', says(404, 'not-found'), { kind: 'failed' }],
    ['message.hide', 'ECONNRESET', { kind: 'doubt' }],
    ['room.purge', says(404, 'not-found'), { kind: 'failed' }],
    ['room.purge', says(503, 'capacity'), { kind: 'again', limited: true }],
    ['room.purge', { status: 504, text: '<html>' }, { kind: 'doubt' }],
    ['room.purge', 'ECONNRESET', { kind: 'doubt' }],
    [
      'stream.terminate',
      says(404, 'not-found'),
      { kind: 'done', detail: 'stream already ended (not-found)' },
    ],
    ['stream.terminate', says(410, 'already-ended'), { kind: 'done' }],
    ['stream.terminate', says(410, 'resource-unavailable'), { kind: 'done' }],
    ['stream.terminate', says(400, 'bad'), { kind: 'failed' }],
    ['stream.terminate', 'ECONNRESET', { kind: 'doubt' }],
    [
      'transcoding.start',
      says(409, 'already-exists', { transcodingId: 'eu#t.7' }),
      { kind: 'done', detail: 'already exists, adopted', result: { transcodingId: 'eu#t.7' } },
    ],
    ['transcoding.start', says(409, 'already-exists'), { kind: 'done', result: {} }],
    ['transcoding.start', says(404, 'not-found'), { kind: 'failed' }],
    ['transcoding.stop', says(409, 'already-deleted'), { kind: 'done' }],
    ['transcoding.stop', says(404, 'not-found'), { kind: 'done' }],
    ['composition.start', 'ECONNRESET', { kind: 'doubt' }],
    ['composition.start', says(400, 'bad'), { kind: 'failed' }],
    ['composition.update', says(404, 'not-found'), { kind: 'failed' }],
    ['composition.stop', says(410, 'already-ended'), { kind: 'done' }],
    ['composition.stop', says(409, 'already-deleted'), { kind: 'done' }],
  ];
  test.each(table)('%s answered %j', async (type, answer, fate) => {
    const { perform, call } = rig(() => answer);
    expect(await call(perform(action(type)))).toMatchObject(fate);
  });

  test('never names the secret', async () => {
    const { perform, call } = rig(() => says(500, 'canary-secret'));
    expect(JSON.stringify(await call(perform(action('message.send'))))).not.toContain('canary-secret');
  });

  test('words, hides and purges of a channel fail without a request: it has no chat', async () => {
    const { perform, requests: sent, call } = rig(() => says(200, 'ok'));
    for (const type of ['message.send', 'message.hide', 'room.purge'] as const)
      expect(await call(perform(action(type, 'x', { place: channel })))).toMatchObject({
        kind: 'failed',
        detail: expect.stringContaining('no chat') as string,
      });
    expect(sent).toEqual([]);
  });
});

describe('a message', () => {
  test('is cut to the limits on a character, and tags that do not fit are left out, never its own', async () => {
    const { perform, requests: sent, call } = rig(() => says(200, 'ok', { message: message('m1') }));
    const deed = perform(
      action('message.send', 'x', {
        place: room,
        text: '€'.repeat(400),
        tags: ['t'.repeat(600), 'fits'],
        as: { screenName: 'ü'.repeat(100), role: 'Presenter' },
      }),
    );
    expect(await call(deed)).toMatchObject({ kind: 'done', detail: 'sent, cut to the limit' });
    expect(sent[0]?.body).toEqual({
      message: {
        from: { screenName: 'ü'.repeat(64), role: 'Presenter', lastUpdate: NOW },
        mimeType: 'text/plain',
        message: '€'.repeat(341),
        tags: ['op:x', 'bot:house', 'fits'],
      },
    });
  });

  const page = (messages: readonly object[], hasMoreBefore: boolean) =>
    says(200, 'ok', { messages, hasMoreBefore, hasMoreAfter: false });
  const sayA = action('message.send', 'a');

  test('in doubt is found by its tag, pages back, each with a token of the budget', async () => {
    const {
      perform,
      requests: sent,
      ask,
      tokens,
    } = rig((nth) =>
      nth === 0
        ? page([message('m8', { timestamp: NOW - 30_000 }), message('m9')], true)
        : page([message('m6', { tags: ['x', 'op:a'] }), message('m7')], true),
    );
    expect(await perform(sayA).readBack?.(ask)).toMatchObject({
      kind: 'done',
      result: { messageId: 'm6' },
    });
    expect(tokens()).toBe(2);
    expect(sent.map(({ target }) => target)).toEqual([
      '/svc/room/eu#room.1/messages?limit=128',
      '/svc/room/eu#room.1/messages?limit=128&beforeMessageId=m8',
    ]);
  });

  const absent: readonly [string, () => Answer][] = [
    ['in an empty room', () => page([], false)],
    ['where the first page is all there is', () => page([message('m1')], false)],
    [
      'where the page reaches back to what was known before',
      () => page([message('m1'), message('m2')], true),
    ],
    [
      'where the page reaches back behind it, by the clock of the platform',
      () => page([message('m0', { timestamp: NOW - 60_001 }), message('m2')], true),
    ],
  ];
  test.each(absent)('in doubt is absent %s', async (_, answer) => {
    const { perform, requests: sent, ask } = rig(answer, { known: { messageId: 'm1', at: NOW } });
    expect(await perform(sayA).readBack?.(ask)).toEqual({ kind: 'absent' });
    expect(sent).toHaveLength(1);
  });

  test('in doubt is unclear where there is too much to search', async () => {
    const { perform, ask } = rig((nth) => page([message(`m${100 - nth}`)], true));
    expect(await perform(sayA).readBack?.(ask)).toMatchObject({ kind: 'unclear' });
  });
});

describe('a purge in doubt', () => {
  const KNOWN_AT = NOW - 30_000;
  const known = { messageId: 'known', at: KNOWN_AT };
  const at = (timestamp: number, more: object = {}) => message(`m${timestamp}`, { timestamp, ...more });
  const page = (messages: readonly object[], hasMoreBefore = false) =>
    says(200, 'ok', { messages, hasMoreBefore, hasMoreAfter: false });
  const busy = page(
    Array.from({ length: 128 }, (_, i) => at(NOW - 128 + i)),
    true,
  );

  const table: readonly [string, (nth: number) => Answer, 'done' | 'absent' | 'unclear', number][] = [
    ['happened where the room is empty', () => page([]), 'done', 1],
    ['happened where all was said after what was known', () => page([at(KNOWN_AT + 1), at(NOW)]), 'done', 1],
    ['did not where the known message is left', () => page([message('known'), at(NOW)]), 'absent', 1],
    ['did not where one as old as it is left', () => page([at(KNOWN_AT), at(NOW)]), 'absent', 1],
    [
      'happened where all from before it is left as deleted',
      () => page([message('known', { timestamp: KNOWN_AT, deletedTimestamp: NOW }), at(NOW)]),
      'done',
      1,
    ],
    ['did not where pages back there is one', (nth) => (nth ? page([at(KNOWN_AT - 1)]) : busy), 'absent', 2],
    ['happened where pages back there is none', (nth) => (nth ? page([]) : busy), 'done', 2],
    ['may have where there is too much to search', () => busy, 'unclear', 16],
  ];
  test.each(table)('%s', async (_, answer, kind, pages) => {
    const { perform, requests: sent, ask, tokens } = rig(answer, { known });
    expect(await perform(action('room.purge')).readBack?.(ask)).toMatchObject({ kind });
    expect(sent.map(({ method }) => method)).toEqual(Array.from({ length: pages }, () => 'GET'));
    expect(tokens()).toBe(pages);
  });

  test('may have where no message from before it is known', async () => {
    const { perform, ask } = rig(() => page([at(NOW)]));
    expect(await perform(action('room.purge')).readBack?.(ask)).toMatchObject({ kind: 'unclear' });
  });
});

describe('hides', () => {
  const hide = (id: string, ids: readonly string[], more: Partial<Action<'message.hide'>> = {}) =>
    action('message.hide', id, { messageIds: ids, ...more });
  const long = (n: number) => `eu#${'x'.repeat(50)}|1|${String(n).padStart(6, '0')}`;
  const markers = (sent: readonly { body: unknown }[]) =>
    sent.map(({ body }) => (body as { message: { message: string; tags: string[] } }).message);

  test('of one bot in one room travel in one message with the tag of each, up to its limits', async () => {
    const { perform, requests: sent, call } = rig(() => says(200, 'ok', { message: message('m1') }));
    const deed = perform(hide('h0', [long(0)]));
    const joined = Array.from({ length: 30 }, (_, i) => deed.join?.(hide(`h${i + 1}`, [long(i + 1)])));
    const taken = joined.filter(Boolean).length;
    expect(taken).toBeGreaterThan(8);
    expect(taken).toBeLessThan(30);
    expect(await call(deed)).toMatchObject({ kind: 'done' });
    const [marker, ...more] = markers(sent);
    expect(more).toEqual([]);
    expect(Buffer.byteLength(marker?.message ?? '')).toBeLessThanOrEqual(1024);
    expect(marker?.tags).toEqual(['bot:house', ...Array.from({ length: taken + 1 }, (_, i) => `op:h${i}`)]);
    expect((JSON.parse(marker?.message ?? '') as { hide: string[] }).hide).toHaveLength(taken + 1);
  });

  test('of short ids travel apart once their tags fill a message', async () => {
    const { perform, requests: sent, call } = rig(() => says(200, 'ok', { message: message('m1') }));
    const deed = perform(hide('h000000000000000', ['m0']));
    const joined = Array.from({ length: 40 }, (_, i) =>
      deed.join?.(hide(`h${String(i + 1).padStart(15, '0')}`, [`m${i + 1}`])),
    );
    expect(joined).toContain(false);
    await call(deed);
    expect(Buffer.byteLength(markers(sent)[0]?.tags.join('') ?? '')).toBeLessThanOrEqual(512);
  });

  test('of another bot or room travel apart, and so does another deed', () => {
    const { perform } = rig(() => says(200, 'ok'));
    const deed = perform(hide('h0', ['m1']));
    expect(deed.join?.(hide('h1', ['m2'], { bot: 'other' }))).toBe(false);
    expect(deed.join?.(hide('h2', ['m2'], { place: { kind: 'room', id: 'else' } }))).toBe(false);
    expect(deed.join?.(action('message.send'))).toBe(false);
  });

  test('of more ids than one message holds go in several, and only what is missing goes again', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => long(i));
    const {
      perform,
      requests: sent,
      call,
      tokens,
    } = rig((nth) => (nth === 1 ? 'ECONNRESET' : says(200, 'ok', { message: message(`m${nth}`) })));
    const deed = perform(hide('h', ids));
    expect(await call(deed)).toMatchObject({ kind: 'doubt' });
    expect(await call(deed)).toMatchObject({ kind: 'done' });
    const hidden = markers(sent).map((marker) => (JSON.parse(marker.message) as { hide: string[] }).hide);
    expect(hidden[1]).toEqual(hidden[2]);
    expect([...new Set(hidden.flat())]).toEqual(ids);
    expect(tokens()).toBeGreaterThan(0);
  });

  test('in doubt are done when markers with their tags hide all their ids, whichever carried them', async () => {
    const marker = (op: string, ids: readonly string[], mimeType = 'application/vnd.usher.moderation+json') =>
      message('m1', { mimeType, tags: ['bot:house', op], message: JSON.stringify({ v: 1, hide: ids }) });
    const page = (...messages: object[]) =>
      rig(() => says(200, 'ok', { messages, hasMoreBefore: false, hasMoreAfter: false }));
    const twoIds = hide('h', ['a', 'b']);

    const whole = page(marker('op:h', ['b', 'z']), marker('op:h', ['a']));
    expect(await whole.perform(twoIds).readBack?.(whole.ask)).toMatchObject({ kind: 'done' });

    const half = page(marker('op:h', ['a']), marker('op:other', ['b']), marker('op:h', ['b'], 'text/plain'));
    const deed = half.perform(twoIds);
    expect(await deed.readBack?.(half.ask)).toEqual({ kind: 'absent' });
  });

  test('of nothing are done without a request', async () => {
    const { perform, requests: sent, call } = rig(() => says(500, 'unexpected'));
    expect(await call(perform(hide('h', [])))).toMatchObject({ kind: 'done' });
    expect(sent).toEqual([]);
  });
});

describe('a composition in doubt', () => {
  test('is known by the stream that carries its tag, and absent without one', async () => {
    const known = rig(() => says(500, ''), { own: { c: 'eu#c.9' } });
    const deed = known.perform(action('composition.start', 'c'));
    expect(await deed.readBack?.(known.ask)).toMatchObject({
      kind: 'done',
      result: { compositionId: 'eu#c.9' },
    });
    const unknown = rig(() => says(500, ''));
    const other = unknown.perform(action('composition.start', 'c'));
    expect(await other.readBack?.(unknown.ask)).toEqual({ kind: 'absent' });
  });
});

describe('a ban', () => {
  test('is recorded with its action, and asks nothing of the platform', async () => {
    const bans: Ban[] = [];
    const { perform, call } = rig(() => says(500, ''), { ban: (ban) => bans.push(ban) });
    const deed = perform(action('member.ban', 'b'));
    expect(deed.asksPlatform).toBe(false);
    await call(deed);
    expect(bans).toEqual([
      {
        bot: 'house',
        member: 'session:s1',
        screenName: 'Ann',
        reason: 'spam',
        until: NOW + 60_000,
        action: 'b',
      },
    ]);
  });

  test('that cannot be written is tried again', async () => {
    const { perform, call } = rig(() => says(500, ''), {
      ban() {
        throw new StoreError('disk full');
      },
    });
    expect(await call(perform(action('member.ban')))).toMatchObject({ kind: 'again', limited: false });
  });
});

describe('a notice', () => {
  const HOOK = 'https://hooks.example/T1/canary-key?x=1';
  const answered = async (status: number, headers: Record<string, string> = {}) => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const bodies: unknown[] = [];
    agent
      .get('https://hooks.example')
      .intercept({
        path: '/T1/canary-key?x=1',
        method: 'POST',
        headers: { 'idempotency-key': 'n' },
        body: (body) => bodies.push(JSON.parse(body)) > 0,
      })
      .reply(status, 'thanks', { headers });
    const { perform, call } = rig(() => says(500, ''), { webhook: HOOK, agent });
    const fate = await call(perform(action('notify.send', 'n')));
    await agent.close();
    return { fate, bodies };
  };
  const table: readonly [number, string][] = [
    [204, 'done'],
    [302, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [429, 'again'],
    [503, 'again'],
  ];
  test.each(table)('answered %i is %s', async (status, kind) => {
    const { fate, bodies } = await answered(status, { location: 'https://elsewhere.example/' });
    expect(fate).toMatchObject({ kind });
    expect(bodies.at(-1)).toMatchObject({ id: 'n', bot: 'house', rule: 'a-rule', text: 'look' });
    expect(JSON.stringify(fate)).not.toContain('canary-key');
  });

  test('that gets no answer is in doubt, and its address is not told', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const { perform, call } = rig(() => says(500, ''), { webhook: HOOK, agent });
    const fate = await call(perform(action('notify.send')));
    expect(fate).toMatchObject({ kind: 'doubt' });
    expect(JSON.stringify(fate)).not.toContain('canary-key');
    await agent.close();
  });

  test.each(['file:///etc/passwd', 'not an address', undefined])('to %s fails', async (webhook) => {
    const { perform, call } = rig(() => says(500, ''), webhook === undefined ? {} : { webhook });
    expect(await call(perform(action('notify.send')))).toMatchObject({ kind: 'failed' });
  });
});
