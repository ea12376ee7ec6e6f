import { describe, expect, test } from 'vitest';
import { withId } from '../../src/domain/event-id.ts';
import type {
  MemberChanged,
  MemberLeft,
  PublishersChanged,
  RoomClosed,
  StreamStarted,
  UsherEvent,
} from '../../src/domain/event.ts';
import type { PlaceView } from '../../src/domain/place-view.ts';
import { fold } from '../../src/engine/fold.ts';
import { LaneState } from '../../src/engine/lane-state.ts';
import { LaneView } from '../../src/engine/lane-view.ts';
import { perceive } from '../../src/engine/perceive.ts';
import { writeLog } from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { ends, joined, member, opened, publishes, ROOM, says } from './facts.ts';
import { stage } from './stage.ts';
import { START } from './virtual-clock.ts';

const after = (...events: readonly UsherEvent[]): { readonly state: LaneState; readonly view: PlaceView } => {
  const state = new LaneState('room:r1');
  for (const event of events) {
    state.time = Math.max(state.time, event.seenAt);
    fold(state, perceive(state, event));
  }
  return { state, view: new LaneView(state, state.facts) };
};
const shown = (streamId: string) =>
  ({ streamId, type: 'Presentation', audio: 'TrackDisabled', video: 'TrackEnabled' }) as const;
const left = (who: string): MemberLeft =>
  withId<MemberLeft>({ ...joined(who), type: 'member.left', member: member(who) });

describe('the projection', () => {
  test('knows nothing of a place that no event has shown', () => {
    expect(after().view).toMatchObject({ known: false, kind: 'room', id: 'r1', alias: '' });
    expect(after(opened()).view).toMatchObject({ known: true, alias: 'alias-r1', type: 'MultiPartyChat' });
  });

  test('a stream is of the member that lists it, with type and tracks, whichever came first', () => {
    const lists = joined(member('ann', { streams: [shown('s1')] }), 5);
    const starts = publishes('ann', 's1', 1, { tags: ['roomId:r1', 'own-tag'] });
    for (const order of [
      [starts, lists],
      [lists, starts],
    ]) {
      const { view } = after(opened(), ...order);
      expect([...view.streams.values()]).toEqual([
        expect.objectContaining({
          streamId: 's1',
          sessionId: 'ann',
          type: 'Presentation',
          audio: 'TrackDisabled',
          tags: ['roomId:r1', 'own-tag'],
          startedAt: START + 1,
        }),
      ]);
      expect(view.publishers()).toMatchObject([{ key: 'session:ann', screenName: 'ann', since: START + 1 }]);
    }
  });

  test('a list that is older than the end of a stream does not revive it', () => {
    const { view } = after(
      publishes('ann', 's1', 1),
      ends('s1', 2),
      joined(member('ann', { streams: [shown('s1')] }), 3),
    );
    expect([...view.streams]).toEqual([]);
  });

  test('a stream that a list no longer shows ends by its own event', () => {
    const { view } = after(publishes('ann', 's1', 1), joined('ann', 2));
    expect([...view.streams.keys()]).toEqual(['s1']);
  });

  test('of an end told twice the first values that are some stand', () => {
    const once = after(
      ends('s1', 1, { reason: null, durationMs: null }),
      ends('s1', 2, { reason: 'censored' }),
    );
    expect(once.state.tombstones.get('s1')).toMatchObject({ reason: 'censored', durationMs: 1_000 });
    const twice = after(
      ends('s1', 1, { reason: 'ended' }),
      ends('s1', 2, { reason: null, durationMs: null }),
    );
    expect(twice.state.tombstones.get('s1')).toMatchObject({ reason: 'ended', durationMs: 1_000 });
  });

  test('tombstones are kept for a day and are not without number', () => {
    const { state } = after(ends('s1', 0));
    state.time = START + 24 * 3_600_000 - 1;
    state.sweep();
    expect(state.tombstones.has('s1')).toBe(true);
    state.time += 3_600_000;
    state.sweep();
    expect(state.tombstones.has('s1')).toBe(false);
    for (let index = 0; index < 5_000; index += 1) fold(state, ends(`t${index}`, 2 * 86_400_000));
    state.time += 120_000;
    state.sweep();
    expect([state.tombstones.size, state.tombstones.has('t0'), state.tombstones.has('t4999')]).toEqual([
      4_096,
      false,
      true,
    ]);
  });

  test('remembers some two hundred of the newest messages, also through the store', () => {
    const many = Array.from({ length: 500 }, (_, at) => says('ann', `${at}`, at));
    const { state, view } = after(...many);
    const parts = JSON.parse(JSON.stringify(state.takeChanges()));
    const again = new LaneState('room:r1', parts);
    for (const list of [view.messages, again.messages.list]) {
      expect(list.length).toBeGreaterThanOrEqual(192);
      expect(list.length).toBeLessThanOrEqual(208);
      expect(list.map(({ eventId }) => eventId)).toEqual(many.slice(-list.length).map(({ id }) => id));
      expect(list.map(({ messageId }) => messageId)).toEqual(
        many.slice(-list.length).map(({ messageId }) => messageId),
      );
    }
    again.messages.add(says('ann', 'next', 501, { messageId: 'next' }));
    expect(again.messages.lastId).toBe('next');
    expect(Object.keys(again.takeChanges())).toHaveLength(1);
  });

  test('an author is verified by the list alone, under the name that the list has', () => {
    const { state } = after(joined(member('ann', { role: 'Moderator' })));
    const ask = (sessionId: string, screenName: string) =>
      perceive(
        state,
        says(sessionId, 'x', 1, {
          author: { ...says(sessionId, 'x').author, screenName, claimedRole: 'Moderator' },
        }),
      );
    expect(ask('ann', 'ann')).toMatchObject({ author: { standing: 'verified', role: 'Moderator' } });
    expect(ask('ann', 'Bob')).toMatchObject({ author: { standing: 'claimed' } });
    expect(ask('eve', 'ann')).toMatchObject({ author: { standing: 'claimed' } });
    expect(ask('eve', 'ann')).not.toHaveProperty('author.role');
  });

  test('a closed room is empty', () => {
    const closed = withId<RoomClosed>({ ...opened(), type: 'room.closed' });
    const { view, state } = after(opened(), joined('ann'), publishes('ann', 's1', 1), closed);
    expect([view.members.size, view.streams.size, view.publishers().length, state.facts?.open]).toEqual([
      0,
      0,
      0,
      false,
    ]);
  });

  test('what was written is what is read again, part by part', () => {
    const { state } = after(opened(), joined('ann'), publishes('ann', 's#1|2', 1), ends('s0', 2));
    const first = state.takeChanges();
    expect(Object.keys(first).sort()).toEqual(['member/ann', 'place/', 'stream/s#1|2', 'tombstone/s0']);
    const again = new LaneState('room:r1', JSON.parse(JSON.stringify(first)));
    expect([...again.streams]).toEqual([...state.streams]);
    expect(again.facts).toEqual(state.facts);
    fold(again, left('ann'));
    expect(again.takeChanges()).toEqual({ 'member/ann': null });
  });

  test('rules cannot change what they see', () => {
    const { view } = after(joined('ann'));
    expect(view.members).not.toHaveProperty('set');
    expect(view.members).not.toBeInstanceOf(Map);
  });
});

describe('the number of publishers', () => {
  test('changes by an event of its own, whose cause is what the action names', async () => {
    const seen: PublishersChanged[] = [];
    const watch = rule('watch', ['publishers.changed'], (event) => {
      if (event.type === 'publishers.changed') seen.push(event);
      return [writeLog('x', { because: event })];
    });
    const one = await stage([bot([bind(watch)])]);
    await one.feed(
      opened(),
      publishes('ann', 's1', 1),
      publishes('ann', 's2', 2),
      publishes('bob', 's3', 3),
      ends('s1', 4),
      ends('s2', 5),
    );
    expect(seen.map(({ from, to, cause }) => [from, to, cause])).toEqual([
      [0, 1, 'stream.started s1'],
      [1, 2, 'stream.started s3'],
      [2, 1, 'stream.ended s2'],
    ]);
    expect(one.decided.map(({ action }) => action.because)).toEqual([
      ['stream.started s1'],
      ['stream.started s3'],
      ['stream.ended s2'],
    ]);
    expect(await one.store.journal.read({ types: ['publishers.changed'] })).toEqual([]);
  });
});

describe('lanes of streams', () => {
  const bare = (more: Partial<StreamStarted>): StreamStarted =>
    publishes('ann', 's1', 1, { tags: [], ...more });
  const renamed = withId<MemberChanged>({
    ...joined(member('ann', { streams: [shown('s1')] }), 1),
    type: 'member.changed',
    changes: {},
  });
  test.each<[string, readonly UsherEvent[], UsherEvent, string]>([
    ['by room id', [], bare({ tags: ['roomId:r#1|a:b'] }), 'room:r#1|a:b'],
    ['by channel id', [], bare({ tags: ['channelAlias:x', 'channelId:c1'] }), 'channel:c1'],
    ['by alias of a listed room', [opened()], bare({ tags: ['roomAlias:alias-r1'] }), 'room:r1'],
    ['by session of a member', [joined('ann')], bare({}), 'room:r1'],
    ['by a member’s list of streams', [renamed], bare({ sessionId: 'x' }), 'room:r1'],
    ['by the start before its end', [publishes('ann', 's1', 0)], ends('s1', 1, { tags: [] }), 'room:r1'],
    ['else its own', [], bare({ tags: ['roomAlias:unknown'] }), 'stream:s1'],
  ])('%s', async (_, before, event, lane) => {
    const one = await stage([]);
    await one.feed(...before, event);
    expect((await one.store.journal.find(event.id))?.lane).toBe(lane);
    // A restart knows as much.
    const again = await one.restart();
    const end = ends('s1', 9, { tags: [] });
    await again.feed({ ...end, id: 'again' });
    expect((await again.store.journal.find('again'))?.lane).toBe(lane);
  });
  test('a place of an event is its lane', async () => {
    const one = await stage([]);
    await one.feed(says('ann', 'x'));
    expect((await one.store.journal.read({}))[0]?.lane).toBe('room:r1');
    expect(one.engine.directory.view(ROOM)?.known).toBe(false);
  });
});
