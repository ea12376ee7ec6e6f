import { describe, expect, test } from 'vitest';
import { BEGIN, member, roomWith, stream } from 'usher/testing';
import pip from './index.ts';

type Streams = Parameters<typeof stream>[1];

/** A room in which these people publish, one second after the other. */
function stage(...people: readonly (readonly [string, Streams?])[]) {
  return roomWith({
    members: people.map(([name]) => member(name, name === 'Pat' ? { role: 'Presenter' } : {})),
    streams: people.map(([name, more], index) => stream(name, { startedAt: BEGIN + index * 1_000, ...more })),
  });
}
const wish = (room: ReturnType<typeof stage>, options: object = {}) => {
  const [one, ...more] = pip.desired(room, pip.options.parse(options));
  expect(more).toEqual([]);
  return one?.kind === 'composition' ? one.spec.inputs : undefined;
};
const order = (room: ReturnType<typeof stage>, options: object = {}) =>
  wish(room, options)?.map(({ streamId }) => streamId);

describe('pip-composition', () => {
  test.each([
    ['nobody', stage(), undefined],
    ['one', stage(['Ann']), undefined],
    ['two: the oldest is full screen', stage(['Ann'], ['Bob']), ['stream-Ann', 'stream-Bob']],
    [
      'three: in the order in which they came',
      stage(['Ann'], ['Bob'], ['Cy']),
      ['stream-Ann', 'stream-Bob', 'stream-Cy'],
    ],
    ['a presenter is full screen', stage(['Ann'], ['Pat']), ['stream-Pat', 'stream-Ann']],
    [
      'a presentation is, before any person',
      stage(['Pat'], ['Ann', { type: 'Presentation' }]),
      ['stream-Ann', 'stream-Pat'],
    ],
    ['sound alone is no picture', stage(['Ann'], ['Bob', { video: 'TrackDisabled' }]), undefined],
  ])('%s', (_name, room, streams) => {
    expect(order(room)).toEqual(streams);
  });

  test('shows so many insets and no more, and needs as many publishers as it is told', () => {
    const room = stage(['Ann'], ['Bob'], ['Cy'], ['Di'], ['Ed']);
    expect(order(room)).toHaveLength(4);
    expect(order(room, { maxInsets: 1 })).toEqual(['stream-Ann', 'stream-Bob']);
    expect(order(room, { publishers: 6 })).toBeUndefined();
  });

  test('stacks the insets from their corner into the picture', () => {
    expect(wish(stage(['Ann'], ['Bob'], ['Cy']))).toEqual([
      { streamId: 'stream-Ann' },
      { streamId: 'stream-Bob', offset: { anchor: 'BottomRight', x: 16, y: 16 }, width: 320, height: 180 },
      { streamId: 'stream-Cy', offset: { anchor: 'BottomRight', x: 16, y: 212 }, width: 320, height: 180 },
    ]);
  });

  test('waits before it starts and before it stops', () => {
    expect(pip.grace(pip.options.parse({ startAfter: '1s', stopAfter: '5s' }))).toEqual({
      startMs: 1_000,
      stopMs: 5_000,
    });
    expect(pip.grace(pip.options.parse({}))).toEqual({ startMs: 2_000, stopMs: 15_000 });
  });
});
