import fc from 'fast-check';
import { mergeMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { MessagePosted, UsherEvent } from '../../src/domain/event.ts';
import type { Lanes, Journal } from '../../src/engine/ports.ts';
import {
  burstsPer,
  defineRule,
  muteMember,
  reply,
  strikeMember,
  transcoding,
  defineKeeper,
  z,
} from '../../src/plugin/index.ts';
import { memoryStore, type MemoryStore } from '../../src/store/memory-store.ts';
import { bind, bot, ladders, rule } from './bots.ts';
import { ends, joined, opened, publishes, room, ROOM, says } from './facts.ts';
import { stage } from './stage.ts';
import { rest, virtualClock } from './virtual-clock.ts';
import { createEngine } from '../../src/engine/create-engine.ts';

const counting = rule('counting', ['message.posted'], (event, { remember }) => {
  if (event.type !== 'message.posted') return [];
  const seen = Number(remember.get('seen') ?? 0) + 1;
  remember.set('seen', seen, { forMs: 60_000 });
  return seen % 3 === 0 ? [reply(event, `${seen} messages`)] : [];
});
const striking = rule('striking', ['message.posted'], (event) =>
  event.type === 'message.posted' && event.text === 'bad'
    ? [strikeMember(event.author, { ladder: 'chat', because: event })]
    : [],
);
const bursting = defineRule({
  name: 'bursting',
  hears: ['message.posted'],
  mayDo: ['message.send'],
  options: z.unknown(),
  remembers: () => 60_000,
  rule: ({ event$ }) =>
    event$.pipe(
      burstsPer((event) => event.author.key, { count: 4, withinMs: 60_000 }),
      mergeMap(({ events }) => [reply(events.at(-1) as MessagePosted, 'slow down', { because: events })]),
    ),
});
const hls = defineKeeper({
  name: 'hls',
  options: z.unknown(),
  desired: (place) =>
    [...place.streams.values()].map(({ streamId }) => transcoding(streamId, { type: 'HLS' })),
});
const house = bot([counting, striking, bursting].map((one) => bind(one)).concat(bind(hls)), {
  ladders: ladders({
    name: 'chat',
    steps: [
      { at: 1, act: ({ event }) => [reply(event as MessagePosted, 'mind your words')] },
      { at: 2, act: ({ event, member }) => [muteMember(member, { forMs: 60_000, because: event })] },
    ],
  }),
});

const anEvent = (at: number): fc.Arbitrary<UsherEvent> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom('ann', 'bob'), fc.constantFrom('bad', 'good'))
        .map(([who, text]) => says(who, text, at)),
    },
    { weight: 1, arbitrary: fc.constant(says('ann', 'elsewhere', at, { place: room('r2') })) },
    { weight: 1, arbitrary: fc.constant(publishes('ann', `s${at}`, at)) },
    { weight: 1, arbitrary: fc.nat(at).map((which) => ends(`s${which}`, at)) },
    { weight: 1, arbitrary: fc.constant(joined('ann', at)) },
  );
const history = fc
  .integer({ min: 3, max: 20 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, at) => anEvent(at))))
  .map((events) => [opened(), ...events]);

/** Ids of all actions that a store took in, in order; the commit's own answer says which were new. */
function recorded(store: MemoryStore): { readonly ids: string[]; readonly lanes: Lanes } {
  const ids: string[] = [];
  return {
    ids,
    lanes: {
      ...store.lanes,
      commit: async (commit) => {
        const fresh = await store.lanes.commit(commit);
        ids.push(...fresh);
        return fresh;
      },
    },
  };
}

const never = new Promise<never>(() => undefined);

/** Ports of a process that dies at its n-th write, before or after the write reached the disk. */
function mortal(
  journal: Journal,
  lanes: Lanes,
  writes: number,
  reaches: boolean,
): { readonly journal: Journal; readonly lanes: Lanes } {
  let left = writes;
  const dying = async <T>(write: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left < 0) return never;
    if (left > 0) return write();
    if (reaches) await write();
    return never;
  };
  return {
    journal: { ...journal, append: (rows) => dying(() => journal.append(rows)) },
    lanes: { ...lanes, commit: (commit) => dying(() => lanes.commit(commit)) },
  };
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
async function runTo(
  events: readonly UsherEvent[],
  ports: { readonly journal: Journal; readonly lanes: Lanes },
  batch: number,
) {
  const engine = createEngine({
    ...ports,
    sink: { enqueue: () => undefined },
    clock: virtualClock(),
    bots: [house],
    log: quiet,
  });
  await engine.start();
  for (let from = 0; from < events.length; from += batch) {
    // Whoever sends does not wait for us for ever.
    await Promise.race([engine.accept(events.slice(from, from + batch)), rest()]);
  }
  await rest();
  return engine;
}

describe('recovery', () => {
  test('whatever write the process dies at, all actions come to be, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (events, deaths, batch) => {
          const calm = memoryStore();
          const expected = recorded(calm);
          const calmEngine = await runTo(events, { journal: calm.journal, lanes: expected.lanes }, batch);

          const store = memoryStore();
          const got = recorded(store);
          for (const [writes, reaches] of deaths) {
            await runTo(events, mortal(store.journal, got.lanes, writes + 1, reaches), batch);
          }
          const engine = await runTo(events, { journal: store.journal, lanes: got.lanes }, batch);
          expect(new Set(got.ids).size).toBe(got.ids.length);
          expect([...got.ids].sort()).toEqual([...expected.ids].sort());
          expect(await store.journal.undone(10)).toEqual([]);
          const [a, b] = [engine.directory.view(ROOM), calmEngine.directory.view(ROOM)];
          expect([...a!.streams]).toEqual([...b!.streams]);
          expect(a!.messages).toEqual(b!.messages);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  test('doubled, split between senders, and cut into other batches, the decisions are the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.nat(1_000), { maxLength: 10 }),
        fc.integer({ min: 1, max: 7 }),
        async (events, doubles, batch) => {
          const calm = memoryStore();
          const expected = recorded(calm);
          await runTo(events, { journal: calm.journal, lanes: expected.lanes }, 1);
          // The other sender finds the same facts, later and with its own name on them.
          const doubled = events.flatMap((event, index): readonly UsherEvent[] =>
            doubles.some((double) => double % events.length === index)
              ? [event, { ...event, source: 'poll', seenAt: event.seenAt + 500 }]
              : [event],
          );
          const store = memoryStore();
          const got = recorded(store);
          await runTo(doubled, { journal: store.journal, lanes: got.lanes }, batch);
          expect([...got.ids].sort()).toEqual([...expected.ids].sort());
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('a store that fails', () => {
  test('a failed commit is tried again, and nothing passes it', async () => {
    const one = await stage([house]);
    await one.feed(opened());
    const taken = one.engine.accept([says('ann', 'bad', 1), says('ann', 'bad', 2)]);
    one.store.failWith('The disk is full.');
    await expect(taken).resolves.toEqual(['new', 'new']);
    await rest();
    await expect(one.engine.accept([says('ann', 'bad', 3)])).rejects.toThrow('The disk is full.');
    expect(one.decided).toEqual([]);
    expect(one.engine.stats().undone).toBe(2);
    expect(one.logged.at(-1)?.message).toMatch(/commit failed/);
    one.store.failWith(undefined);
    await one.clock.advance(1_000);
    expect(one.engine.stats().undone).toBe(0);
    expect(one.decided.map(({ action }) => action.type)).toEqual([
      'member.strike',
      'message.send',
      'member.strike',
      'member.mute',
    ]);
  });

  test('a full inbox takes nothing of a batch, and takes more when it has drained', async () => {
    const one = await stage([house], { inbox: { events: 2 } });
    one.store.failWith(undefined);
    const first = one.engine.accept([opened()]);
    await expect(one.engine.accept([says('ann', 'a', 1), says('ann', 'b', 2)])).rejects.toMatchObject({
      code: 'inbox-full',
    });
    await first;
    await one.feed(says('ann', 'a', 1), says('ann', 'b', 2));
    expect(one.engine.stats().undone).toBe(0);
    await expect(one.engine.drain(1_000)).resolves.toBe(true);
  });
});
