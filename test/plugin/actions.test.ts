import { describe, expect, test } from 'vitest';
import {
  announce,
  banMember,
  censorMember,
  composition,
  duration,
  hideMessages,
  muteMember,
  notifyPeople,
  purgeRoom,
  reply,
  startTranscoding,
  strikeMember,
  terminateStream,
  transcoding,
  z,
} from '../../src/plugin/index.ts';
import { joined, publishes, ROOM, says } from '../engine/facts.ts';

const said = says('ann', 'x', 1);
const because = [said.id];

describe('an action', () => {
  test.each([
    [reply(said, 'y'), { type: 'message.send', place: ROOM, text: 'y', tags: [], because }],
    [announce('y', { because: said }), { type: 'message.send', place: ROOM, text: 'y' }],
    [announce('y', { because: 'an id', place: ROOM }), { place: ROOM, because: ['an id'] }],
    [hideMessages(['a', 'a', 'b'], { because: said }), { messageIds: ['a', 'b'], place: ROOM }],
    [purgeRoom({ because: said }), { type: 'room.purge', place: ROOM }],
    [
      muteMember('session:ann', { forMs: 1, because: [said, said] }),
      { member: 'session:ann', screenName: 'ann', because },
    ],
    [muteMember('session:bob', { forMs: 1, because: [said] }), { member: 'session:bob', screenName: '' }],
    [
      banMember('name:eve', { forMs: 1, because: said }),
      { member: 'name:eve', screenName: 'eve', reason: '' },
    ],
    [
      strikeMember(said.author, { ladder: 'chat', because: said }),
      { ladder: 'chat', points: 1, screenName: 'ann' },
    ],
    [
      censorMember(joined('bob').member, { because: joined('bob') }),
      { member: 'session:bob', watchMs: 0, reason: 'censored' },
    ],
    [terminateStream(publishes('ann', 's1')), { streamId: 's1', because: ['stream.started s1'] }],
    [terminateStream('s1', { because: said, reason: 'no' }), { streamId: 's1', reason: 'no', because }],
    [notifyPeople('mods', 'look', { because: said }), { type: 'notify.send', target: 'mods', because }],
    [
      startTranscoding({
        resource: 'r',
        because: said,
        spec: { streamId: 's1', type: 'HLS', quality: 'sd', onDemand: false, capabilities: [], tags: [] },
      }),
      { type: 'transcoding.start', place: ROOM, resource: 'r' },
    ],
  ])('%o', (draft, expected) => {
    expect(draft).toMatchObject(expected);
  });

  test('that cannot know its place says so', () => {
    expect(() => muteMember('session:ann', { forMs: 1, because: 'an id' })).toThrow(
      /give events.*or `place: room`/,
    );
  });
});

describe('a wish', () => {
  test('for a transcoding is keyed by stream, type and track', () => {
    expect(
      [transcoding('s1', { type: 'HLS' }), transcoding('s1', { type: 'HLS', only: 'audio' })].map(
        ({ key }) => key,
      ),
    ).toEqual(['s1 HLS', 's1 HLS audio']);
  });
  test('for a composition has the key that it was given', () => {
    expect(composition('pip', { inputs: [] })).toEqual({
      key: 'pip',
      kind: 'composition',
      spec: { inputs: [], capabilities: [], tags: [] },
    });
  });
});

describe('duration', () => {
  const options = z.strictObject({ within: duration().default('90s') });
  test('reads what bot files write', () => {
    expect([options.parse({}), options.parse({ within: '5m' })]).toEqual([
      { within: 90_000 },
      { within: 300_000 },
    ]);
  });
  test('refuses anything else with an example', () => {
    expect(options.safeParse({ within: '5 minutes' }).error?.issues[0]?.message).toMatch(
      /"5 minutes" is no duration; write.*5m/,
    );
    expect(() => duration().default('soon')).toThrow(/"soon" is no duration/);
  });
});
