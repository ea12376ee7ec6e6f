import { describe, expect, test } from 'vitest';
import type { CompositionSpec } from '../../src/domain/action.ts';
import type { PlaceView } from '../../src/domain/place-view.ts';
import type { BoundRule } from '../../src/plugin/bot.ts';
import { ruleOf } from './compile.ts';
import { member, roomWith, stream, wants } from './stage.ts';

const specOf = (rule: BoundRule, room: PlaceView): CompositionSpec | undefined => {
  const [wish] = wants(rule, room);
  return wish?.kind === 'composition' ? wish.spec : undefined;
};
const idsOf = (rule: BoundRule, room: PlaceView) =>
  specOf(rule, room)?.inputs.map(({ streamId }) => streamId) ?? [];

describe('keep: transcoding', () => {
  const rule = ruleOf(
    'keep: transcoding\nin: {tags: {any: ["rendition:*"]}}\nwhile: publishing\ntranscoding: {type: DASH, quality: hd, onDemand: true, videoOnly: true, tags: ["kind:auto"]}\ngrace: {start: 1s}',
  );

  test('wants one for each live stream', () => {
    const room = roomWith({ streams: [stream('ann', 0)] });
    expect(wants(rule, room)).toEqual([
      {
        key: 'ann-0 DASH video',
        kind: 'transcoding',
        spec: {
          streamId: 'ann-0',
          type: 'DASH',
          quality: 'hd',
          onDemand: true,
          only: 'video',
          capabilities: [],
          tags: ['kind:auto'],
        },
      },
    ]);
    expect(wants(rule, roomWith())).toEqual([]);
  });

  test('has its grace, and is about the streams of its tags', () => {
    expect(rule.definition.kind === 'keeper' && rule.definition.grace(rule.options)).toEqual({
      startMs: 1_000,
      stopMs: 30_000,
    });
    expect([rule.scope.tags?.(['rendition:auto']), rule.scope.tags?.([])]).toEqual([true, false]);
    expect([...rule.mayDo]).toEqual(['transcoding.start', 'transcoding.stop']);
  });

  test('waits for its state', () => {
    const busy = ruleOf(
      'keep: transcoding\nwhile: {all: [{publishers: {atLeast: 2}}, {not: {room: {type: DirectChat}}}]}',
    );
    const streams = [stream('ann', 0), stream('bob', 1)];
    expect(wants(busy, roomWith({ streams: streams.slice(1) }))).toEqual([]);
    expect(wants(busy, roomWith({ streams }))).toHaveLength(2);
    expect(wants(busy, roomWith({ streams, type: 'DirectChat' }))).toEqual([]);
  });
});

describe('keep: composition', () => {
  const members = [member('ann'), member('bob', { role: 'Presenter' }), member('cy')];
  const streams = [
    stream('ann', 0),
    stream('bob', 1),
    stream('cy', 2),
    stream('bob', 3, { type: 'Presentation' }),
  ];
  const room = roomWith({ members, streams });
  const keep = (main: string, insets = '{}', more = '') =>
    ruleOf(`keep: composition\nmain: ${main}\ninsets: ${insets}\n${more}`);

  test.each([
    ['oldest', 'ann-0'],
    ['newest', 'bob-3'],
    ['{type: Presentation}', 'bob-3'],
    ['{role: Presenter}', 'bob-1'],
    ['{name: "C*"}', 'cy-2'],
    ['[{name: dora}, {role: Moderator}, newest]', 'bob-3'],
    ['{name: dora}', 'ann-0'],
  ])('main: %s is full screen: %s', (main, streamId) => {
    expect(specOf(keep(main), room)?.inputs[0]).toEqual({ streamId });
  });

  test('the others follow in order, as many as may', () => {
    expect(idsOf(keep('oldest'), room)).toEqual(['ann-0', 'bob-1', 'bob-3', 'cy-2']);
    expect(idsOf(keep('oldest', '{order: newest, max: 2}'), room)).toEqual(['ann-0', 'bob-3', 'cy-2']);
  });

  test('who shows no picture is not in it', () => {
    const dark = [
      stream('ann', 0),
      stream('bob', 1, { type: 'Audio' }),
      stream('cy', 2, { video: 'TrackEnded' }),
      stream('dora', 3, { video: 'TrackDisabled' }),
    ];
    expect(idsOf(keep('oldest'), roomWith({ streams: dark }))).toEqual(['ann-0', 'dora-3']);
    expect(wants(keep('oldest'), roomWith({ streams: dark.slice(1, 3) }))).toEqual([]);
  });

  test.each([
    [
      '{anchor: BottomRight, stack: up, width: 320, height: 180, gap: 16}',
      [
        [16, 16],
        [16, 212],
      ],
    ],
    [
      '{anchor: TopLeft, width: 320, height: 180, gap: 16}',
      [
        [16, 16],
        [16, 212],
      ],
    ],
    [
      '{anchor: TopRight, stack: left, width: 320, height: 180, gap: 10}',
      [
        [10, 10],
        [340, 10],
      ],
    ],
    [
      '{anchor: BottomLeft, stack: right, width: 320, height: 180, gap: 0}',
      [
        [0, 0],
        [320, 0],
      ],
    ],
    [
      '{anchor: Center, stack: up, width: 100, height: 100, gap: 10}',
      [
        [0, 0],
        [0, -110],
      ],
    ],
    [
      '{anchor: Center, stack: right, width: 100, height: 100, gap: 10}',
      [
        [0, 0],
        [110, 0],
      ],
    ],
  ])('insets: %s', (insets, offsets) => {
    const inputs = specOf(keep('oldest', insets), room)?.inputs.slice(1, 3) ?? [];
    expect(inputs.map(({ offset }) => [offset?.x, offset?.y])).toEqual(offsets);
    expect(inputs[0]).toMatchObject({
      width: Number(/width: (\d+)/.exec(insets)?.[1]),
      offset: { anchor: /anchor: (\w+)/.exec(insets)?.[1] },
    });
  });

  test('capabilities, tags and grace', () => {
    const rule = keep(
      'oldest',
      '{}',
      'capabilities: [hd, prefer-h264]\ntags: ["kind:pip"]\ngrace: {start: 2s, stop: 15s}',
    );
    const tested = roomWith({ streams: [stream('ann', 0, { type: 'Audio' }), stream('bob', 1)] });
    expect(specOf(rule, tested)).toEqual({
      inputs: [{ streamId: 'bob-1' }],
      capabilities: ['hd', 'prefer-h264'],
      tags: ['kind:pip'],
    });
    expect(rule.definition.kind === 'keeper' && rule.definition.grace(undefined)).toEqual({
      startMs: 2_000,
      stopMs: 15_000,
    });
  });

  test('the same room wants the same, whatever the order in which it was learnt', () => {
    const shuffled = roomWith({ members: members.toReversed(), streams: streams.toReversed() });
    expect(wants(keep('[{role: Presenter}, oldest]'), shuffled)).toEqual(
      wants(keep('[{role: Presenter}, oldest]'), room),
    );
  });
});
