import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../src/domain/member.ts';
import type { LiveStream } from '../../src/domain/place-view.ts';
import { diffStreams, type StreamSuspicion } from '../../src/ingress/diff-streams.ts';

const HEAD_START = 5_000;
const IDS = ['s1', 's2', 's3'] as const;

const ann = (streamIds: readonly string[]): Member => ({
  sessionId: 'ann',
  screenName: 'Ann',
  role: 'Presenter',
  state: 'Active',
  lastUpdate: 1,
  streams: streamIds.map((streamId) => ({
    streamId,
    type: 'User',
    audio: 'TrackEnabled',
    video: 'TrackEnabled',
  })),
});

const live = (streamId: string): LiveStream => ({
  streamId,
  sessionId: 'ann',
  tags: ['kind:stage'],
  type: 'User',
  startedAt: 1,
  audio: 'TrackEnabled',
  video: 'TrackEnabled',
  startedBy: `stream.started ${streamId}`,
});

/** A place whose lane handles at once what polls and notifications tell, each id once. */
function lane() {
  const streams = new Map<string, LiveStream>();
  const seenAt = new Map<string, number>();
  const journal: string[] = [];
  const tell = (id: string, at: number) => {
    if (journal.includes(id)) return;
    journal.push(id);
    const streamId = id.split(' ')[1] ?? '';
    if (id.startsWith('stream.ended')) streams.delete(streamId);
    else if (!journal.includes(`stream.ended ${streamId}`)) {
      streams.set(streamId, live(streamId));
      seenAt.set(streamId, at);
    }
  };
  let suspicions: ReadonlyMap<string, StreamSuspicion> = new Map();
  return {
    streams,
    journal,
    tell,
    poll(at: number, listed: readonly string[], source: 'poll' | 'reconcile' = 'poll', requestedAt = at) {
      const difference = diffStreams({
        place: { kind: 'room', id: 'r1', alias: 'lobby', name: 'Lobby' },
        live: streams,
        members: listed.length > 0 ? [ann(listed)] : [],
        suspicions,
        requestedAt,
        seenAt: (id) => seenAt.get(id),
        now: at,
        source,
        headStartMs: HEAD_START,
      });
      suspicions = difference.suspicions;
      for (const { id } of difference.events) tell(id, at);
      return difference.events;
    },
    suspicions: () => suspicions,
  };
}

describe('streams by the word of the member list', () => {
  test('a start is told by the second poll, once', () => {
    const place = lane();
    expect(place.poll(0, ['s1'])).toEqual([]);
    expect(place.poll(HEAD_START - 1, ['s1'])).toEqual([]);
    expect(place.poll(HEAD_START, ['s1'])).toMatchObject([{ type: 'stream.started', streamId: 's1', at: 0 }]);
    expect(place.poll(2 * HEAD_START, ['s1'])).toEqual([]);
    expect(place.suspicions().size).toBe(0);
  });

  test('reconciliation tells starts at once, but no end', () => {
    const place = lane();
    place.tell('stream.started s2', -1);
    expect(place.poll(0, ['s1'], 'reconcile').map(({ id }) => id)).toEqual(['stream.started s1']);
    expect(place.poll(HEAD_START, ['s1']).map(({ id }) => id)).toEqual(['stream.ended s2']);
  });

  test('an end keeps session and tags of the stream, and claims no duration and no reason', () => {
    const place = lane();
    place.tell('stream.started s1', -1);
    place.poll(0, []);
    expect(place.poll(HEAD_START, [])).toMatchObject([
      { type: 'stream.ended', sessionId: 'ann', tags: ['kind:stage'], durationMs: null, reason: null },
    ]);
    expect(place.poll(2 * HEAD_START, [])).toEqual([]);
    expect(place.suspicions().size).toBe(0);
  });

  test('a notification within the head start leaves nothing to tell', () => {
    const place = lane();
    place.poll(0, ['s1']);
    place.tell('stream.started s1', 1_000);
    expect(place.poll(HEAD_START, ['s1'])).toEqual([]);
    place.poll(2 * HEAD_START, []);
    place.tell('stream.ended s1', 2 * HEAD_START + 1);
    const told = place.poll(3 * HEAD_START, []);
    expect(told.every(({ id }) => place.journal.includes(id))).toBe(true);
    expect(place.journal).toEqual(['stream.started s1', 'stream.ended s1']);
  });

  test('a stream that the lane knows from the member only is started all the same', () => {
    const place = lane();
    place.streams.set('s1', { ...live('s1'), startedBy: 'member.joined room:r1 ann 1' });
    place.poll(0, ['s1']);
    expect(place.poll(HEAD_START, ['s1']).map(({ id }) => id)).toEqual(['stream.started s1']);
  });

  test('a poll cannot deny what was learnt after it was sent', () => {
    const place = lane();
    place.tell('stream.started s1', 1_000);
    place.poll(2_000, [], 'poll', 900);
    expect(place.suspicions().size).toBe(0);
  });

  test('whatever is lost, late or doubled, and whenever polls come, once the lists stand still the lane shows them', () => {
    const step = fc.record({
      afterMs: fc.integer({ min: 1, max: 8_000 }),
      /** Starts or ends, in the platform's truth. */
      change: fc.option(fc.constantFrom(...IDS)),
      notification: fc.constantFrom('lost', 'prompt', 'doubled', 'late'),
      poll: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const place = lane();
        const truth = new Map<string, 'live' | 'over'>();
        const late: string[] = [];
        let now = 0;
        const listed = () => IDS.filter((id) => truth.get(id) === 'live');
        for (const { afterMs, change, notification, poll } of steps) {
          now += afterMs;
          if (change !== null && truth.get(change) !== 'over') {
            truth.set(change, truth.has(change) ? 'over' : 'live');
            const id = `stream.${truth.get(change) === 'over' ? 'ended' : 'started'} ${change}`;
            if (notification === 'prompt' || notification === 'doubled') place.tell(id, now);
            if (notification === 'doubled' || notification === 'late') late.push(id);
          }
          if (poll) place.poll(now, listed());
        }
        for (const id of late) place.tell(id, now);
        for (let turn = 0; turn < 4; turn += 1) place.poll((now += HEAD_START), listed());
        expect([...place.streams.keys()].toSorted()).toEqual(listed());
        expect(place.suspicions().size).toBe(0);
        expect(new Set(place.journal).size).toBe(place.journal.length);
      }),
    );
  });

  test('no poll ever ends a stream that every other list shows', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 30 }), (gaps) => {
        const place = lane();
        place.tell('stream.started s1', 0);
        let now = 0;
        gaps.forEach((gap, turn) => {
          now += gap;
          place.poll(now, turn % 2 === 0 ? [] : ['s1']);
        });
        expect(place.journal).toEqual(['stream.started s1']);
      }),
    );
  });
});
