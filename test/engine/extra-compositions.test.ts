import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { StreamStarted } from '../../src/domain/event.ts';
import { composition, defineKeeper, z } from '../../src/plugin/index.ts';
import { bind, bot } from './bots.ts';
import { ends, opened, publishes, ROOM } from './facts.ts';
import { stage, told, type Stage } from './stage.ts';
import { START } from './virtual-clock.ts';

/** One composition of all publishers, while there are two of them. */
const pip = defineKeeper({
  name: 'pip',
  options: z.unknown(),
  grace: () => ({ startMs: 0, stopMs: 1_000 }),
  desired: (room) => {
    const inputs = room.publishers().map(({ streams }) => ({ streamId: streams[0]?.streamId ?? '' }));
    return inputs.length < 2 ? [] : [composition('pip', { inputs })];
  },
});

/** Two publish, and the start of their composition is decided: its first request was taken for lost, wrongly. */
async function starting(): Promise<{ one: Stage; start: Action; air: (streamId: string) => StreamStarted }> {
  const one = await stage([bot([bind(pip)])]);
  await one.feed(opened(), publishes('ann', 's1', 1), publishes('bob', 's2', 2));
  const start = one.decided.at(-1)!.action;
  expect(start.type).toBe('composition.start');
  const air = (streamId: string) =>
    publishes('platform', streamId, 0, {
      own: true,
      causedBy: start.id,
      tags: [`roomId:${ROOM.id}`, `op:${start.id}`],
    });
  return { one, start, air };
}

/** Lets the keeper end what it wants to end, and gives what is left of `made`. */
async function left(one: Stage, made: readonly string[]): Promise<readonly string[]> {
  const gone = new Set<string>();
  for (let done = 0, round = 0; round < 10; round += 1) {
    await one.clock.advance(2_000);
    for (const { action } of one.decided.slice(done)) {
      done += 1;
      if (action.type !== 'composition.stop') continue;
      gone.add(action.compositionId);
      await one.settle(action);
    }
  }
  return made.filter((id) => !gone.has(id));
}

describe('a start that happened twice leaves one composition', () => {
  test('when the first tells of itself after the second was answered', async () => {
    const { one, start, air } = await starting();
    await one.settle(start, 'performed', { compositionId: 'second' });
    await one.feed(air('second'), air('first'));
    expect(await left(one, ['first', 'second'])).toEqual(['second']);
  });

  test('when the first tells of itself before the second is answered', async () => {
    const { one, start, air } = await starting();
    await one.feed(air('first'));
    await one.settle(start, 'performed', { compositionId: 'second' });
    expect(await left(one, ['first', 'second'])).toEqual(['first']);
    await one.feed(air('second'));
    expect(await left(one, ['first'])).toEqual(['first']);
  });

  test('when there are three, told in any order and twice', async () => {
    const { one, start, air } = await starting();
    await one.feed(air('third'));
    await one.settle(start, 'performed', { compositionId: 'second' });
    await one.feed(air('first'), air('second'), air('third'), air('first'));
    expect(await left(one, ['first', 'second', 'third'])).toEqual(['third']);
  });

  test('when a restart lies between', async () => {
    const { one, start, air } = await starting();
    await one.settle(start, 'performed', { compositionId: 'second' });
    const again = await one.restart();
    await again.feed(air('first'));
    expect(await left(again, ['first', 'second'])).toEqual(['second']);
  });

  test('when the start was told as failed, it is the one that is there', async () => {
    const { one, start, air } = await starting();
    await one.settle(start, 'failed');
    await one.feed(air('first'));
    await one.clock.advance(60_000);
    expect(told(one.decided)).toEqual(['composition.start by pip → open']);
    const now = one.clock.now() - START;
    await one.feed(ends('s1', now));
    expect(await left(one, ['first'])).toEqual([]);
  });
});

describe('one that tells of itself when nobody wants it any more is ended', () => {
  test('after the other was stopped, whose own late word revives nothing', async () => {
    const { one, start, air } = await starting();
    await one.settle(start, 'performed', { compositionId: 'second' });
    await one.feed(ends('s1', one.clock.now() - START));
    expect(await left(one, ['second'])).toEqual([]);
    const decided = one.decided.length;
    await one.feed(air('second'));
    await one.clock.advance(10_000);
    expect(one.decided).toHaveLength(decided);
    await one.feed(air('first'));
    expect(await left(one, ['first'])).toEqual([]);
  });

  test('after the other ended by itself, with its inputs', async () => {
    const { one, start, air } = await starting();
    await one.settle(start, 'performed', { compositionId: 'second' });
    const now = one.clock.now() - START;
    await one.feed(air('second'), ends('s1', now), ends('second', now, { own: true }), air('first'));
    expect(await left(one, ['first'])).toEqual([]);
  });
});
