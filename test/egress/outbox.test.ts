import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { EventOf } from '../../src/domain/event.ts';
import type { LaneKey } from '../../src/domain/lane-key.ts';
import type { Actions, Clock } from '../../src/engine/ports.ts';
import { createRequestBudget } from '../../src/egress/budget.ts';
import type { Deed } from '../../src/egress/deed.ts';
import { done, failed, type Fate, type ReadBack } from '../../src/egress/fate.ts';
import { createOutbox } from '../../src/egress/outbox.ts';
import type { OnDoubt } from '../../src/egress/outbox-settings.ts';
import { ConfigurationError } from '../../src/errors.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { action, intend } from './actions.ts';
import { settleDown, virtualClock } from './virtual-clock.ts';

const again: Fate = { kind: 'again', reason: 'rate-limited', limited: false };
const doubt: Fate = { kind: 'doubt', reason: 'reset' };
const refused: Fate = { kind: 'unauthorized', reason: '401' };
const LANE: LaneKey = 'room:a';

interface Script {
  /** Of the calls in order, by action id; the last one stays. */
  readonly calls?: Readonly<Record<string, readonly Fate[]>>;
  readonly readBacks?: Readonly<Record<string, readonly ReadBack[]>>;
  readonly onDoubt?: OnDoubt;
  readonly repeatable?: boolean;
  readonly about?: (action: Action) => string;
  readonly asksPlatform?: (action: Action) => boolean;
  readonly join?: boolean;
  readonly actions?: (actions: Actions, clock: ReturnType<typeof virtualClock>) => Actions;
  readonly store?: ReturnType<typeof memoryStore>;
  readonly clock?: ReturnType<typeof virtualClock>;
  /** False leaves the start to the test. */
  readonly started?: boolean;
  readonly concurrency?: number;
  readonly graceMs?: number;
  /** How long a call takes. */
  readonly callMs?: number;
}

function rig(script: Script = {}) {
  const clock = script.clock ?? virtualClock();
  const store = script.store ?? memoryStore({ now: () => clock.now() });
  const did: string[] = [];
  const outcomes: EventOf<'action.settled'>[] = [];
  const nth = new Map<string, number>();
  const say = <T>(list: readonly T[] | undefined, key: string, otherwise: T): T => {
    const n = nth.get(key) ?? 0;
    nth.set(key, n + 1);
    return list?.[Math.min(n, list.length - 1)] ?? otherwise;
  };
  const pause = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const perform = (first: Action): Deed => {
    const joined = [first];
    const { id } = first;
    return {
      repeatable: script.repeatable ?? false,
      about: script.about?.(first) ?? 'chat',
      freshForMs: 600_000,
      asksPlatform: script.asksPlatform?.(first) ?? true,
      async call() {
        did.push(`call ${joined.map((one) => one.id).join('+')}`);
        if (script.callMs) await pause(clock, script.callMs);
        return say(script.calls?.[id], `call ${id}`, done('did it', { messageId: 'm1' }));
      },
      ...(script.readBacks && {
        readBack: () => {
          did.push(`read ${id}`);
          return Promise.resolve(say(script.readBacks?.[id], `read ${id}`, { kind: 'absent' as const }));
        },
      }),
      ...(script.join && { join: (other: Action) => joined.push(other) > 0 }),
    };
  };
  const outbox = createOutbox({
    actions: script.actions?.(store.actions, clock) ?? store.actions,
    perform,
    budget: createRequestBudget({ clock, maxPerSecond: 1_000 }),
    clock,
    onSettled: ({ event }) => event.type === 'action.settled' && outcomes.push(event),
    log: { info() {}, warn() {}, error() {} },
    count() {},
    random: () => 0,
    ...(script.onDoubt && { onDoubt: script.onDoubt }),
    ...(script.graceMs && { graceMs: script.graceMs }),
    ...(script.concurrency && { concurrency: script.concurrency }),
  });
  if (script.started !== false) void outbox.start();
  const enqueue = async (lane: LaneKey, ...ids: readonly string[]) =>
    outbox.enqueue(await intend(store.lanes, lane, ...ids.map((id) => action('message.send', id))));
  return { clock, store, did, outcomes, outbox, enqueue };
}

describe('one action', () => {
  const table: readonly [string, Script, { did: string[] | 'many'; outcome: string; within: number }][] = [
    ['that succeeds is performed', {}, { did: ['call a'], outcome: 'performed', within: 0 }],
    [
      'that is refused for good fails',
      { calls: { a: [failed('no')] } },
      { did: ['call a'], outcome: 'failed', within: 0 },
    ],
    [
      'that is refused for now is tried again with a back-off',
      { calls: { a: [again, again, done('did it')] } },
      { did: ['call a', 'call a', 'call a'], outcome: 'performed', within: 750 },
    ],
    [
      'that is refused until nobody wants it any more fails',
      { calls: { a: [again] } },
      { did: 'many', outcome: 'failed', within: 601_750 },
    ],
    [
      'in doubt that is found is performed without a second call',
      { calls: { a: [doubt] }, readBacks: { a: [done('found')] } },
      { did: ['call a', 'read a'], outcome: 'performed', within: 250 },
    ],
    [
      'in doubt that is found at last is performed without a second call',
      { calls: { a: [doubt] }, readBacks: { a: [{ kind: 'absent' }, { kind: 'absent' }, done('found')] } },
      { did: ['call a', 'read a', 'read a', 'read a'], outcome: 'performed', within: 3_250 },
    ],
    [
      'in doubt that nobody can find is called again, and not before GRACE',
      { calls: { a: [doubt, done('did it')] }, readBacks: {} },
      {
        did: ['call a', 'read a', 'read a', 'read a', 'read a', 'read a', 'call a'],
        outcome: 'performed',
        within: 30_000,
      },
    ],
    [
      'in doubt that may be repeated is repeated at once',
      { repeatable: true, calls: { a: [doubt, done('did it')] } },
      { did: ['call a', 'call a'], outcome: 'performed', within: 250 },
    ],
    [
      'in doubt that may be repeated is not repeated when a look finds it',
      { repeatable: true, calls: { a: [doubt] }, readBacks: { a: [done('found')] } },
      { did: ['call a', 'read a'], outcome: 'performed', within: 250 },
    ],
    [
      'that reading back cannot tell is called again by default',
      { calls: { a: [doubt, done('did it')] }, readBacks: { a: [{ kind: 'unclear', reason: 'cut' }] } },
      {
        did: ['call a', 'read a', 'read a', 'read a', 'read a', 'read a', 'call a'],
        outcome: 'performed',
        within: 30_000,
      },
    ],
    [
      'that reading back cannot tell is unknown by the policy "give-up"',
      { onDoubt: 'give-up', calls: { a: [doubt] }, readBacks: { a: [{ kind: 'unclear', reason: 'cut' }] } },
      {
        did: ['call a', 'read a', 'read a', 'read a', 'read a', 'read a'],
        outcome: 'unknown',
        within: 30_000,
      },
    ],
    [
      'that reading back cannot tell is held for a person by the policy "ask"',
      { onDoubt: 'ask', calls: { a: [doubt] }, readBacks: { a: [{ kind: 'unclear', reason: 'cut' }] } },
      { did: ['call a', 'read a', 'read a', 'read a', 'read a', 'read a'], outcome: 'held', within: 30_000 },
    ],
  ];
  test.each(table)('%s', async (_, script, expected) => {
    const { clock, did, outcomes, enqueue } = rig(script);
    await enqueue(LANE, 'a');
    await clock.advance(Math.max(0, expected.within - 1));
    const early = expected.within > 0 ? outcomes.length : 0;
    await clock.advance(1);
    await settleDown();
    expect({ early, outcomes: outcomes.map(({ outcome }) => outcome) }).toEqual({
      early: 0,
      outcomes: [expected.outcome],
    });
    expect(expected.did === 'many' ? 'many' : did).toEqual(expected.did);
  });

  test('comes back as an event with its cause, place and result, and is settled in the store', async () => {
    const { clock, store, outcomes, enqueue } = rig();
    await enqueue(LANE, 'a');
    await clock.advance(0);
    expect(outcomes).toMatchObject([
      {
        id: 'action.settled a',
        causedBy: 'a',
        action: 'a',
        place: { kind: 'room' },
        result: { messageId: 'm1' },
      },
    ]);
    expect(await store.actions.find('a')).toMatchObject({ outcome: 'performed', detail: 'did it' });
    expect(await store.actions.open()).toEqual([]);
  });

  test('is marked before each call', async () => {
    const marks: string[] = [];
    const { clock, did, enqueue } = rig({
      calls: { a: [again, done('did it')] },
      actions: (actions) => ({
        ...actions,
        mark(id, attempt, at) {
          marks.push(`${id} ${attempt} after ${did.length} calls`);
          return actions.mark(id, attempt, at);
        },
      }),
    });
    await enqueue(LANE, 'a');
    await clock.advance(1_000);
    expect(marks).toEqual(['a 1 after 0 calls', 'a 2 after 1 calls']);
  });

  test('is not called when the process stood still after the mark: it is in doubt', async () => {
    let frozen = false;
    const { clock, did, outcomes, enqueue } = rig({
      readBacks: {},
      actions: (actions, clock) => ({
        ...actions,
        async mark(id, attempt, at) {
          await actions.mark(id, attempt, at);
          if (!frozen) clock.freeze(5_000);
          frozen = true;
        },
      }),
    });
    await enqueue(LANE, 'a');
    await clock.advance(20_000);
    expect(did.filter((one) => one.startsWith('call'))).toEqual([]);
    await clock.advance(15_000);
    expect(did.filter((one) => one.startsWith('call'))).toEqual(['call a']);
    expect(outcomes).toHaveLength(1);
  });

  test('is not called while its mark cannot be written, and the reason is told', async () => {
    const { clock, store, did, outcomes, outbox, enqueue } = rig();
    await intend(store.lanes, LANE, action('message.send', 'a'));
    store.failWith('disk full');
    outbox.enqueue([{ action: action('message.send', 'a'), lane: LANE, mode: 'enforce' }]);
    await clock.advance(5_000);
    expect(did).toEqual([]);
    expect(outbox.readiness.reason()).toContain('disk full');
    store.failWith(undefined);
    await clock.advance(60_000);
    expect(outcomes).toHaveLength(1);
    expect(outbox.readiness.reason()).toBeUndefined();
    await enqueue(LANE, 'b');
  });

  test('is called once however long its outcome cannot be written', async () => {
    const { clock, store, did, outcomes, enqueue } = rig({ callMs: 10 });
    await enqueue(LANE, 'a');
    await clock.advance(5);
    store.failWith('disk full');
    await clock.advance(20_000);
    expect(outcomes).toEqual([]);
    store.failWith(undefined);
    await clock.advance(60_000);
    expect(did).toEqual(['call a']);
    expect(outcomes).toHaveLength(1);
  });

  test('handed over twice is done once, even when it is settled by then', async () => {
    const { clock, did, outbox, enqueue } = rig();
    const record = { action: action('message.send', 'a'), lane: LANE, mode: 'enforce' } as const;
    await enqueue(LANE, 'a');
    outbox.enqueue([record]);
    await clock.advance(1_000);
    outbox.enqueue([record]);
    await clock.advance(1_000);
    expect(did).toEqual(['call a']);
    expect(outbox.stats().open).toBe(0);
  });

  test('that is shadowed or settled is not performed', async () => {
    const { clock, did, outbox } = rig();
    outbox.enqueue([
      { action: action('message.send', 'a'), lane: LANE, mode: 'shadow' },
      {
        action: action('message.send', 'b'),
        lane: LANE,
        mode: 'enforce',
        settled: { outcome: 'refused', detail: '' },
      },
    ]);
    await clock.advance(1_000);
    expect(did).toEqual([]);
  });
});

describe('actions side by side', () => {
  test('of one place go in order, one at a time; places do not wait for each other', async () => {
    const { clock, did, enqueue } = rig({ callMs: 100 });
    await enqueue('room:a', 'a1', 'a2');
    await enqueue('room:b', 'b1', 'b2');
    await clock.advance(50);
    expect(did).toEqual(['call a1', 'call b1']);
    await clock.advance(100);
    expect(did).toEqual(['call a1', 'call b1', 'call a2', 'call b2']);
  });

  test('wait for a slot when all are taken', async () => {
    const { clock, did, outcomes, enqueue } = rig({ callMs: 100, concurrency: 2 });
    for (const place of ['a', 'b', 'c', 'd']) await enqueue(`room:${place}`, place);
    await clock.advance(50);
    expect(did).toEqual(['call a', 'call b']);
    await clock.advance(200);
    expect(outcomes).toHaveLength(4);
  });

  test('in doubt hold up what is about the same, in their own place, and nothing else', async () => {
    const { clock, did, enqueue } = rig({
      calls: { say1: [doubt] },
      readBacks: {},
      about: ({ id }) => (id.startsWith('say') ? 'chat' : 'marks'),
    });
    await enqueue('room:a', 'say1', 'say2', 'hide1', 'hide2');
    await enqueue('room:b', 'say3');
    await clock.advance(500);
    expect(did.filter((one) => one.startsWith('call'))).toEqual([
      'call say1',
      'call say3',
      'call hide1',
      'call hide2',
    ]);
  });

  test('that can travel together do', async () => {
    const { clock, did, outcomes, enqueue, store, outbox } = rig({ join: true });
    store.failWith('not yet');
    await expect(enqueue('room:a', 'x')).rejects.toThrow('not yet');
    store.failWith(undefined);
    outbox.enqueue(
      await intend(store.lanes, 'room:a', action('message.send', 'a'), action('message.send', 'b')),
    );
    await enqueue('room:b', 'c');
    await clock.advance(100);
    expect(did).toEqual(['call a+b', 'call c']);
    expect(outcomes.map((one) => [one.action, one.outcome])).toEqual([
      ['a', 'performed'],
      ['b', 'performed'],
      ['c', 'performed'],
    ]);
  });
});

describe('refused credentials', () => {
  const ids = Array.from({ length: 50 }, (_, i) => `a${i}`);

  test('stop all but one knock at a time, are told, and everything goes on when they are taken', async () => {
    const calls: Record<string, Fate[]> = Object.fromEntries(ids.map((id) => [id, [refused]]));
    const { clock, did, outcomes, outbox, enqueue } = rig({ calls });
    for (const id of ids) await enqueue(`room:${id}`, id);
    await clock.advance(60_000);
    expect(did.length).toBeLessThan(60);
    expect(outbox.readiness.reason()).toContain('401');
    for (const id of ids) calls[id] = [done('did it')];
    await clock.advance(120_000);
    expect(outcomes).toHaveLength(50);
    expect(outbox.readiness.reason()).toBeUndefined();
  });

  test('do not hold up what asks nothing of the platform', async () => {
    const { clock, outcomes, enqueue } = rig({
      calls: { a: [refused] },
      asksPlatform: ({ id }) => id !== 'notice',
    });
    await enqueue('room:a', 'a');
    await clock.advance(10);
    await enqueue('room:b', 'notice');
    await clock.advance(10);
    expect(outcomes.map((one) => one.action)).toEqual(['notice']);
  });

  test('another knocks when the first knocker is gone without an answer', async () => {
    const { clock, outcomes, enqueue } = rig({
      calls: { a: [refused, again], b: [done('did it')] },
    });
    await enqueue('room:a', 'a');
    await clock.advance(10);
    await enqueue('room:b', 'b');
    await clock.advance(10_000);
    expect(outcomes.map((one) => one.action)).toEqual(['b']);
  });
});

describe('a restart', () => {
  test('takes up unmarked intents at once and marked ones after GRACE, counted anew', async () => {
    const clock = virtualClock();
    const store = memoryStore({ now: () => clock.now() });
    await intend(store.lanes, 'room:a', action('message.send', 'marked'), action('message.send', 'behind'));
    await intend(store.lanes, 'room:b', action('message.send', 'fresh'));
    await store.actions.mark('marked', 1, clock.now());
    await clock.advance(10_000);
    const { did, outbox } = rig({ clock, store, readBacks: {}, started: false });
    await outbox.start();
    await clock.advance(29_000);
    expect(did.filter((one) => one.startsWith('call'))).toEqual(['call fresh']);
    expect(outbox.stats()).toMatchObject({ open: 2, inDoubt: 1 });
    await clock.advance(1_000);
    expect(did.filter((one) => one.startsWith('call'))).toEqual(['call fresh', 'call marked', 'call behind']);
  });

  test('comes before what is decided in this life, however early that is', async () => {
    const clock = virtualClock();
    const store = memoryStore({ now: () => clock.now() });
    await intend(store.lanes, LANE, action('message.send', 'old'));
    const { did, outbox, enqueue } = rig({ clock, store, started: false });
    await enqueue(LANE, 'new');
    await clock.advance(1_000);
    expect(did).toEqual([]);
    await outbox.start();
    await clock.advance(1_000);
    expect(did).toEqual(['call old', 'call new']);
  });

  test('does not say words that nobody waits for any more', async () => {
    const clock = virtualClock();
    const store = memoryStore({ now: () => clock.now() });
    await intend(store.lanes, 'room:a', action('message.send', 'old'));
    await clock.advance(700_000);
    const { did, outcomes, outbox } = rig({ clock, store, started: false });
    await outbox.start();
    await clock.advance(100);
    expect(did).toEqual([]);
    expect(outcomes).toMatchObject([
      { outcome: 'failed', detail: expect.stringContaining('Too late') as string },
    ]);
  });
});

test('a grace below the deadline is refused', () => {
  expect(() => rig({ graceMs: 5_000 })).toThrow(ConfigurationError);
});

describe('draining', () => {
  test('finishes what is under way and what becomes due in time, and leaves the rest', async () => {
    const { clock, store, outcomes, outbox, enqueue } = rig({
      callMs: 100,
      calls: { soon: [again, done('did it')], doubtful: [doubt] },
      readBacks: {},
    });
    await enqueue('room:a', 'soon', 'after');
    await enqueue('room:b', 'doubtful');
    await clock.advance(10);
    const drained = outbox.drain(5_000);
    await clock.advance(6_000);
    expect(await drained).toEqual({ left: 1 });
    expect(outcomes.map((one) => one.action)).toEqual(['soon', 'after']);
    expect((await store.actions.open()).map((one) => one.action.id)).toEqual(['doubtful']);
    expect(clock.waiting).toBe(0);
    await enqueue('room:c', 'later');
    await clock.advance(1_000);
    expect(outcomes).toHaveLength(2);
  });

  test('ends at once when there is nothing to do', async () => {
    const { outbox } = rig();
    expect(await outbox.drain(10_000)).toEqual({ left: 0 });
  });
});
