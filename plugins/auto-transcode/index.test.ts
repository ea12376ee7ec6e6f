import { describe, expect, test } from 'vitest';
import { roomWith, stream } from 'usher/testing';
import autoTranscode from './index.ts';

const room = roomWith({ streams: [stream('Ann', { tags: ['stage'] }), stream('Bob')] });
const wishes = (options: object) => autoTranscode.desired(room, autoTranscode.options.parse(options));

describe('auto-transcode', () => {
  test('wants one transcoding for each live stream, under a key that stays', () => {
    expect(wishes({}).map(({ key, spec }) => [key, spec])).toEqual([
      [
        'stream-Ann HLS',
        {
          streamId: 'stream-Ann',
          type: 'HLS',
          quality: 'hd',
          onDemand: false,
          capabilities: [],
          tags: ['kind:auto-transcode'],
        },
      ],
      ['stream-Bob HLS', expect.objectContaining({ streamId: 'stream-Bob' })],
    ]);
    expect(wishes({})).toEqual(wishes({}));
  });

  test('wants nothing where nobody publishes', () => {
    expect(autoTranscode.desired(roomWith(), autoTranscode.options.parse({}))).toEqual([]);
  });

  test('looks only at streams with one of the tags', () => {
    expect(
      wishes({ tagged: ['stage', 'main'] }).map(({ spec }) => 'streamId' in spec && spec.streamId),
    ).toEqual(['stream-Ann']);
    expect(wishes({ tagged: ['nobody'] })).toEqual([]);
  });

  test('makes what its options say', () => {
    expect(
      wishes({ type: 'DASH', quality: 'sd', onDemand: true, tags: ['x'], capabilities: ['y'] })[0]?.spec,
    ).toEqual({
      streamId: 'stream-Ann',
      type: 'DASH',
      quality: 'sd',
      onDemand: true,
      tags: ['x'],
      capabilities: ['y'],
    });
  });
});
