import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../src/domain/member.ts';
import { MEMBER_STATES, ROLES, TRACK_STATES } from '../../src/domain/member.ts';
import { diffMembers, type MemberComparison, type MemberEvent } from '../../src/ingress/diff-members.ts';

const PLACE = { kind: 'room', id: 'us#room' } as const;

const stream = fc.record({
  streamId: fc.constantFrom('s1', 's2', 's3'),
  type: fc.constant('User' as const),
  audio: fc.constantFrom(...TRACK_STATES),
  video: fc.constantFrom(...TRACK_STATES),
});
/** No two members have a stream in common. */
const member: fc.Arbitrary<Member> = fc
  .record({
    sessionId: fc.constantFrom('ann', 'bob', 'cy', 'dan'),
    screenName: fc.constantFrom('A', 'B'),
    role: fc.constantFrom(...ROLES),
    state: fc.constantFrom(...MEMBER_STATES),
    streams: fc.uniqueArray(stream, { selector: ({ streamId }) => streamId, maxLength: 3 }),
    lastUpdate: fc.integer({ min: 1, max: 3 }),
  })
  .map((each) => ({
    ...each,
    streams: each.streams.map((own) => ({ ...own, streamId: `${each.sessionId}.${own.streamId}` })),
  }));
const members = fc.uniqueArray(member, { selector: ({ sessionId }) => sessionId });
const bySession = (list: readonly Member[]) => new Map(list.map((each) => [each.sessionId, each]));

const apply = (known: ReadonlyMap<string, Member>, events: readonly MemberEvent[]): Map<string, Member> => {
  const next = new Map(known);
  for (const event of events) {
    if (event.type === 'member.left') next.delete(event.member.sessionId);
    else next.set(event.member.sessionId, event.member);
  }
  return next;
};

/** Times and the order of streams aside. */
const shape = (list: Iterable<Member>) =>
  [...list]
    .map((each) => ({
      ...each,
      lastUpdate: 0,
      streams: each.streams.toSorted((a, b) => a.streamId.localeCompare(b.streamId)),
    }))
    .toSorted((a, b) => a.sessionId.localeCompare(b.sessionId));

const compare = (
  known: ReadonlyMap<string, Member>,
  listed: readonly Member[],
  more: Partial<MemberComparison> = {},
) =>
  diffMembers({
    place: PLACE,
    known,
    listed,
    requestedAt: 1_000,
    seenAt: () => undefined,
    now: 1_100,
    source: 'poll',
    ...more,
  });

describe('the difference between known members and a list', () => {
  test('applied to what is known, it gives the list', () => {
    fc.assert(
      fc.property(members, members, (known, listed) => {
        const before = bySession(known);
        expect(shape(apply(before, compare(before, listed)).values())).toEqual(shape(listed));
      }),
    );
  });

  test('once applied, the same list makes no further difference', () => {
    fc.assert(
      fc.property(members, members, (known, listed) => {
        const before = bySession(known);
        const after = apply(before, compare(before, listed));
        expect(compare(after, listed, { requestedAt: 2_000 })).toEqual([]);
      }),
    );
  });

  test('the order of a list, of streams, and a member listed twice mean nothing', () => {
    fc.assert(
      fc.property(members, members, (known, listed) => {
        const turned = listed.toReversed().map((each) => ({ ...each, streams: each.streams.toReversed() }));
        const ids = (list: readonly Member[]) =>
          compare(bySession(known), list)
            .map(({ id }) => id)
            .toSorted();
        expect(ids([...turned, ...turned])).toEqual(ids(listed));
      }),
    );
  });

  test('over any series of lists no two different facts share an id, although lastUpdate may stand still', () => {
    fc.assert(
      fc.property(fc.array(members, { maxLength: 8 }), (lists) => {
        let known: ReadonlyMap<string, Member> = new Map();
        const ids = new Set<string>();
        lists.forEach((listed, turn) => {
          // A rejoining with an old lastUpdate is the poll's to settle, not the differ's.
          const rejoined = listed.map((each) => ({
            ...each,
            lastUpdate: known.has(each.sessionId) ? each.lastUpdate : 100 * turn,
          }));
          const events = compare(known, rejoined, { requestedAt: 100 * turn + 50 });
          for (const { id } of events) {
            expect(ids).not.toContain(id);
            ids.add(id);
          }
          known = apply(known, events);
        });
      }),
    );
  });

  test('two polls of the same list, compared with the same knowledge, give the same ids', () => {
    fc.assert(
      fc.property(members, members, (known, listed) => {
        const fresh = listed.map((each) => ({ ...each, lastUpdate: each.lastUpdate + 10 }));
        const ids = (requestedAt: number) =>
          compare(bySession(known), fresh, { requestedAt }).map(({ id }) => id);
        expect(ids(1_000)).toEqual(ids(2_000));
      }),
    );
  });

  test('who was learnt of after the poll was sent is not gone', () => {
    fc.assert(
      fc.property(members, (known) => {
        expect(compare(bySession(known), [], { seenAt: () => 1_000 })).toEqual([]);
        expect(compare(bySession(known), [], { seenAt: () => 999 })).toHaveLength(known.length);
      }),
    );
  });
});
