import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { NotificationUnrecognized, UsherEvent } from '../../src/domain/event.ts';
import { withId } from '../../src/domain/event-id.ts';
import { Inbox } from '../../src/engine/inbox.ts';
import type { Journal, Lanes } from '../../src/engine/ports.ts';
import { reply } from '../../src/plugin/index.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { bind, bot, rule } from './bots.ts';
import { opened, room, says } from './facts.ts';
import { heapInUse } from './heap.ts';
import { stage } from './stage.ts';
import { rest } from './virtual-clock.ts';

const MB = 1024 * 1024;
const never = new Promise<never>(() => {});
const house = bot([
  bind(
    rule('answer', ['message.posted'], (event) =>
      event.type === 'message.posted' ? [reply(event, event.text)] : [],
    ),
  ),
]);
const said = (place: string, index: number): UsherEvent =>
  says('ann', String(index), index, { place: room(place) });
/** A notification as long as the receiver lets through, kept whole because nobody knows it. */
const long = (): UsherEvent =>
  withId<NotificationUnrecognized>({
    type: 'notification.unrecognized',
    at: 0,
    seenAt: 0,
    source: 'webhook',
    what: 'x',
    reason: 'unknown',
    body: randomBytes(100 * 1024).toString('hex'),
  });

/** Accepts until something is refused; how many were taken, and what the refusal said. */
async function fill(
  accept: (event: UsherEvent) => Promise<unknown>,
  make: (index: number) => UsherEvent,
  most: number,
): Promise<{ readonly taken: number; readonly refused: Error | undefined }> {
  for (let taken = 0; taken < most; taken += 1) {
    const refused = await Promise.race([
      accept(make(taken)).then(
        () => undefined,
        (error: unknown) => error as Error, // the engine throws errors only
      ),
      rest().then(() => undefined),
    ]);
    if (refused) return { taken, refused };
  }
  return { taken: most, refused: undefined };
}

describe('a store that is stuck', () => {
  const stuckJournal = (): Partial<{ journal: Journal; lanes: Lanes }> => {
    const { journal, lanes } = memoryStore();
    return { journal: { ...journal, append: () => never }, lanes };
  };

  test('fills the inbox to its limit of bytes, and memory stays where it is', async () => {
    const { engine } = await stage([], stuckJournal());
    const before = heapInUse();
    let refused = 0;
    for (let index = 0; index < 1_500; index += 1) {
      engine.accept([long()]).catch(() => (refused += 1));
      if (index % 50 === 0) await rest();
    }
    await rest();
    // 300 MB of notifications came.
    expect(heapInUse() - before).toBeLessThan(80 * MB);
    expect(refused).toBeGreaterThan(1_000);
    expect(engine.load).toBeLessThanOrEqual(1);
  });

  test('fills the inbox to its limit of events, and what is refused is not kept', async () => {
    const { engine } = await stage([], { ...stuckJournal(), inbox: { events: 1_000 } });
    const answers = await Promise.all(
      Array.from({ length: 5_000 }, (_, index) =>
        Promise.race([engine.accept([said(`r${index}`, index)]), rest()]).then(
          () => 'taken',
          (error: unknown) => (error as { readonly code: string }).code,
        ),
      ),
    );
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1_000);
    expect(answers.filter((answer) => answer === 'inbox-full')).toHaveLength(4_000);
    expect(engine.stats().undone).toBe(1_000);
  });

  test('is taken up where it stood as soon as it goes on', async () => {
    const store = memoryStore();
    let goOn = (): void => {};
    const stuck = new Promise<void>((resolve) => (goOn = resolve));
    const { engine, decided, clock } = await stage([house], {
      store,
      journal: {
        ...store.journal,
        append: async (rows) => {
          await stuck;
          return store.journal.append(rows);
        },
      },
      inbox: { events: 100 },
    });
    const waiting = Array.from({ length: 100 }, (_, index) => engine.accept([said(`r${index}`, index)]));
    await expect(engine.accept([said('late', 0)])).rejects.toThrow(/inbox holds 100 events.*slow disk/);
    goOn();
    await Promise.all(waiting);
    await clock.advance(10);
    expect(engine.load).toBe(0);
    await expect(engine.accept([said('late', 0)])).resolves.toEqual(['new']);
    await clock.advance(10);
    expect(decided).toHaveLength(101);
  });
});

describe('a place that floods', () => {
  test('is refused alone; the others are taken and handled', async () => {
    const store = memoryStore();
    const { engine, decided, clock } = await stage([house], {
      store,
      // The lanes of the flooded places do not get on.
      lanes: {
        ...store.lanes,
        commit: (commit) => (commit.lane.startsWith('room:flooded') ? never : store.lanes.commit(commit)),
      },
      inbox: { events: 1_000 },
    });
    const floods: number[] = [];
    for (const place of ['flooded-1', 'flooded-2', 'flooded-3', 'flooded-4']) {
      const { taken, refused } = await fill(
        (event) => engine.accept([event]),
        (index) => said(place, index),
        1_000,
      );
      floods.push(taken);
      expect(refused?.message).toMatch(`room:${place} alone holds`);
    }
    // Each gets as much as it leaves free.
    expect(floods).toEqual([500, 250, 125, 63]);
    for (let index = 0; index < 500; index += 1) {
      await expect(engine.accept([said('quiet', index)])).resolves.toEqual(['new']);
      if (index % 20 === 0) await rest();
    }
    await clock.advance(10);
    expect(decided.filter(({ lane }) => lane === 'room:quiet')).toHaveLength(500);
  });

  test('is let in with a batch above the limit when nothing else waits, else it would wait for ever', async () => {
    const { engine, decided, clock } = await stage([house], { inbox: { events: 10 } });
    const batch = Array.from({ length: 64 }, (_, index) => said('r1', index));
    const [first, second] = [engine.accept(batch.slice(0, 32)), engine.accept(batch.slice(32))];
    await expect(second).rejects.toMatchObject({ code: 'inbox-full' });
    await first;
    await clock.advance(10);
    await engine.accept(batch.slice(32));
    await clock.advance(10);
    expect(decided).toHaveLength(64);
  });

  test('holds up no list: a batch of many places fits while there is room', () => {
    const inbox = new Inbox({ events: 1_000, bytes: 64 * MB });
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      lane: `room:r${index}` as const,
      event: opened(room(`r${index}`)),
    }));
    expect(() => inbox.check(rows)).not.toThrow();
    inbox.take(rows);
    expect(inbox.load).toBe(1);
    inbox.release(rows);
    expect(inbox.load).toBe(0);
    expect(inbox.events).toBe(0);
  });
});
