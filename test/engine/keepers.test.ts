import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { MemberChanged, StreamStarted, UsherEvent } from '../../src/domain/event.ts';
import {
  composition,
  defineKeeper,
  terminateStream,
  transcoding,
  z,
  type KeeperDefinition,
} from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { ends, joined, member, opened, publishes, ROOM } from './facts.ts';
import { stage, told, type Stage } from './stage.ts';
import { rest, START } from './virtual-clock.ts';

/** One transcoding for each live stream. */
const hls = defineKeeper({
  name: 'hls',
  options: z.strictObject({}),
  desired: (room) => [...room.streams.values()].map(({ streamId }) => transcoding(streamId, { type: 'HLS' })),
});

/** One composition of all publishers, while there are two of them. */
const pip = (grace = { startMs: 2_000, stopMs: 15_000 }): KeeperDefinition =>
  defineKeeper({
    name: 'pip',
    options: z.unknown(),
    grace: () => grace,
    desired: (room) => {
      const inputs = room.publishers().map(({ streams }) => ({ streamId: streams[0]?.streamId ?? '' }));
      return inputs.length < 2 ? [] : [composition('pip', { inputs })];
    },
  });

const onStage = async (definition: KeeperDefinition): Promise<Stage> => {
  const one = await stage([bot([bind(definition)])]);
  await one.feed(opened());
  return one;
};
const last = (one: Stage): Action => one.decided.at(-1)!.action;

/** Our own composition on the air. */
const onAir = (start: Action, streamId: string): StreamStarted =>
  publishes('platform', streamId, 0, {
    own: true,
    causedBy: start.id,
    tags: [`roomId:${ROOM.id}`, `op:${start.id}`],
  });

describe('a transcoding keeper', () => {
  test('starts one for a stream, nothing for its repeat, and is rid of it with the stream', async () => {
    const one = await onStage(hls);
    await one.feed(publishes('ann', 's1', 1), joined(member('ann', { streams: [shown('s1')] }), 2));
    expect(told(one.decided)).toEqual(['transcoding.start by hls → open']);
    expect(last(one)).toMatchObject({ resource: 'hls/s1 HLS', spec: { streamId: 's1', type: 'HLS' } });
    await one.settle(last(one), 'performed', { transcodingId: 't1' });
    await one.feed(ends('s1', 10), publishes('ann', 's1', 1, { seenAt: START + 20 }));
    await one.clock.advance(600_000);
    expect(one.decided).toHaveLength(1);
    expect(one.engine.directory.view(ROOM)?.streams.size).toBe(0);
  });

  test('a late start revives nothing', async () => {
    const one = await onStage(hls);
    await one.feed(ends('s1', 10), publishes('ann', 's1', 1));
    expect(one.decided).toEqual([]);
  });

  test('a stream that only the member list shows is transcoded too', async () => {
    const one = await onStage(hls);
    await one.feed(joined(member('ann', { streams: [shown('s1')] })));
    expect(told(one.decided)).toEqual(['transcoding.start by hls → open']);
  });

  test('a start that fails is tried again after a rest that grows, under another id', async () => {
    const one = await onStage(hls);
    await one.feed(publishes('ann', 's1', 0));
    await one.settle(last(one), 'failed');
    expect(one.decided).toHaveLength(1);
    await one.clock.advance(2_000);
    expect(one.decided).toHaveLength(2);
    await one.settle(last(one), 'failed');
    await one.clock.advance(3_999);
    expect(one.decided).toHaveLength(2);
    await one.clock.advance(1);
    expect(one.decided).toHaveLength(3);
    expect(new Set(one.decided.map(({ action }) => action.id)).size).toBe(3);
  });

  test('in shadow it shows what it would do and does nothing', async () => {
    const one = await stage([bot([bind(hls, { mode: 'shadow' })])]);
    await one.feed(opened(), publishes('ann', 's1', 1), ends('s1', 2));
    expect(told(one.decided)).toEqual(['transcoding.start by hls → shadowed']);
    expect(one.intents).toEqual([]);
  });

  test('without permission it is refused nothing and starts nothing', async () => {
    const one = await stage([bot([bind(hls, { mayDo: new Set() })])]);
    await one.feed(opened(), publishes('ann', 's1', 1));
    expect(one.decided).toEqual([]);
  });

  test('only streams with the tags of its scope are its business', async () => {
    const scope = { covers: () => true, tags: (tags: readonly string[]) => tags.includes('rendition:auto') };
    const one = await stage([bot([bind(hls, { scope })])]);
    await one.feed(
      opened(),
      publishes('ann', 's1', 1),
      publishes('bob', 's2', 2, { tags: [`roomId:${ROOM.id}`, 'rendition:auto'] }),
    );
    expect(
      one.decided.map(({ action }) => action.type === 'transcoding.start' && action.spec.streamId),
    ).toEqual(['s2']);
  });
});

describe('a composition keeper', () => {
  const running = async (): Promise<Stage> => {
    const one = await onStage(pip());
    await one.feed(publishes('ann', 's1', 1), publishes('bob', 's2', 2));
    await one.clock.advance(3_000);
    await one.settle(last(one), 'performed', { compositionId: 'c1' });
    return one;
  };

  test('waits its grace, and forgets a wish that does not last', async () => {
    const one = await onStage(pip());
    await one.feed(publishes('ann', 's1', 0), publishes('bob', 's2', 0));
    await one.clock.advance(1_999);
    expect(one.decided).toEqual([]);
    await one.clock.advance(1);
    expect(told(one.decided)).toEqual(['composition.start by pip → open']);
    const other = await onStage(pip());
    await other.feed(publishes('ann', 's1', 0), publishes('bob', 's2', 0), ends('s2', 1_000));
    await other.clock.advance(60_000);
    expect(other.decided).toEqual([]);
  });

  test('updates with a third publisher and stops when one is left, after its grace', async () => {
    const one = await running();
    const now = one.clock.now() - START;
    await one.feed(publishes('cy', 's3', now));
    expect(last(one)).toMatchObject({ type: 'composition.update', compositionId: 'c1' });
    await one.settle(last(one));
    await one.feed(ends('s3', now));
    expect(last(one)).toMatchObject({
      type: 'composition.update',
      spec: { inputs: [{ streamId: 's1' }, { streamId: 's2' }] },
    });
    await one.settle(last(one));
    await one.feed(ends('s2', now));
    await one.clock.advance(14_999);
    expect(one.decided).toHaveLength(3);
    await one.clock.advance(1);
    expect(last(one)).toMatchObject({ type: 'composition.stop', compositionId: 'c1' });
    await one.settle(last(one));
    await one.clock.advance(600_000);
    expect(one.decided).toHaveLength(4);
  });

  test('while an update is on its way no other one is sent; then the newest wish is', async () => {
    const one = await running();
    const now = one.clock.now() - START;
    await one.feed(publishes('cy', 's3', now), publishes('dan', 's4', now + 1));
    expect(told(one.decided)).toEqual([
      'composition.start by pip → open',
      'composition.update by pip → open',
    ]);
    await one.settle(last(one));
    expect(last(one)).toMatchObject({
      type: 'composition.update',
      spec: { inputs: ['s1', 's2', 's3', 's4'].map((streamId) => ({ streamId })) },
    });
    expect(one.decided).toHaveLength(3);
  });

  test('somebody who comes back within the grace keeps it', async () => {
    const one = await running();
    const now = one.clock.now() - START;
    await one.feed(ends('s2', now));
    await one.clock.advance(10_000);
    await one.feed(publishes('bob', 's4', now + 10_000));
    await one.clock.advance(60_000);
    expect(told(one.decided)).toEqual([
      'composition.start by pip → open',
      'composition.update by pip → open',
    ]);
  });

  test('survives a restart: nothing is started twice, and graces run on', async () => {
    const one = await running();
    await one.feed(ends('s2', one.clock.now() - START));
    const again = await one.restart();
    await again.clock.advance(15_000);
    expect(told(again.decided)).toEqual(['composition.stop by pip → open']);
  });

  test('one that ended by itself is replaced while it is wanted', async () => {
    const one = await running();
    await one.feed(onAir(one.decided[0]!.action, 'c1'), ends('c1', 5_000, { own: true }));
    await one.clock.advance(10_000);
    expect(told(one.decided)).toEqual(['composition.start by pip → open', 'composition.start by pip → open']);
  });

  test('its own stream makes it run before the answer to its start, and is no publisher', async () => {
    const one = await onStage(pip());
    await one.feed(publishes('ann', 's1', 1), publishes('bob', 's2', 2));
    await one.clock.advance(3_000);
    await one.feed(onAir(last(one), 'c1'));
    expect(one.engine.directory.view(ROOM)?.publishers()).toHaveLength(2);
    await one.settle(last(one), 'unknown');
    const now = one.clock.now() - START;
    await one.feed(ends('s1', now), ends('s2', now));
    await one.clock.advance(15_000);
    expect(last(one)).toMatchObject({ type: 'composition.stop', compositionId: 'c1' });
  });

  test('a start in doubt whose stream appears late is adopted, or ended when another runs', async () => {
    const one = await onStage(pip());
    await one.feed(publishes('ann', 's1', 1), publishes('bob', 's2', 2));
    await one.clock.advance(3_000);
    const first = last(one);
    await one.settle(first, 'unknown');
    await one.clock.advance(2_000);
    await one.settle(last(one), 'performed', { compositionId: 'c2' });
    await one.feed(onAir(first, 'c1'));
    await one.clock.advance(20_000);
    expect(told(one.decided)).toEqual([
      'composition.start by pip → open',
      'composition.start by pip → open',
      'composition.stop by pip → open',
    ]);
    expect(last(one)).toMatchObject({ compositionId: 'c1' });
  });

  test('an update that fails has it replaced', async () => {
    const one = await running();
    await one.feed(publishes('cy', 's3', one.clock.now() - START));
    await one.settle(last(one), 'failed');
    await one.clock.advance(2_000);
    expect(last(one)).toMatchObject({ type: 'composition.stop', compositionId: 'c1' });
    await one.settle(last(one));
    await one.clock.advance(2_000);
    expect(last(one)).toMatchObject({ type: 'composition.start' });
  });
});

describe('an update that failed because an input had ended', () => {
  test('is followed by another update, without a cut, when the wish is another', async () => {
    const one = await onStage(pip());
    await one.feed(publishes('ann', 's1', 1), publishes('bob', 's2', 2));
    await one.clock.advance(3_000);
    await one.settle(last(one), 'performed', { compositionId: 'c1' });
    const now = one.clock.now() - START;
    await one.feed(publishes('cy', 's3', now), ends('s3', now));
    await one.settle(last(one), 'failed');
    expect(last(one)).toMatchObject({
      type: 'composition.update',
      compositionId: 'c1',
      spec: { inputs: [{ streamId: 's1' }, { streamId: 's2' }] },
    });
    await one.settle(last(one));
    await one.clock.advance(600_000);
    expect(told(one.decided)).not.toContain('composition.stop by pip → open');
  });
});

describe('a composition that cannot be started', () => {
  test('is tried soon when the wish is another: the failures of the old one say nothing about it', async () => {
    const one = await onStage(pip({ startMs: 0, stopMs: 0 }));
    await one.feed(publishes('ann', 's1', 0), publishes('bob', 's2', 0));
    await one.settle(last(one), 'failed');
    await one.clock.advance(2_000);
    await one.settle(last(one), 'failed');
    await one.clock.advance(4_000);
    await one.settle(last(one), 'failed');
    expect(one.decided).toHaveLength(3);
    await one.feed(publishes('cy', 's3', one.clock.now() - START));
    await one.clock.advance(1_000);
    expect(one.decided).toHaveLength(4);
    expect(last(one)).toMatchObject({
      type: 'composition.start',
      spec: { inputs: [{ streamId: 's1' }, { streamId: 's2' }, { streamId: 's3' }] },
    });
  });
});

describe('a stream that we are about to end', () => {
  const kill = rule(
    'kill',
    ['stream.started'],
    (event) =>
      event.type === 'stream.started' && event.tags.includes('bad') ? [terminateStream(event)] : [],
    ['stream.terminate'],
  );
  const bad = { tags: [`roomId:${ROOM.id}`, 'bad'] };

  test('gets no resources, of any bot, whatever the order of rules', async () => {
    const one = await stage([bot([bind(hls), bind(kill)])]);
    await one.feed(opened(), publishes('ann', 's1', 1, bad));
    expect(told(one.decided)).toEqual(['stream.terminate by kill → open']);
    await one.settle(last(one));
    await one.feed(ends('s1', 10));
    await one.clock.advance(600_000);
    expect(one.decided).toHaveLength(1);
  });

  test('gets them after a while when it does not end', async () => {
    const one = await stage([bot([bind(hls), bind(kill)])]);
    await one.feed(opened(), publishes('ann', 's1', 1, bad));
    await one.settle(last(one), 'failed');
    await one.clock.advance(60_001);
    expect(told(one.decided)).toEqual(['stream.terminate by kill → open', 'transcoding.start by hls → open']);
  });

  test('gets them at once when the rule only shows what it would do', async () => {
    const one = await stage([bot([bind(hls), bind(kill, { mode: 'shadow' })])]);
    await one.feed(opened(), publishes('ann', 's1', 1, bad));
    expect(told(one.decided)).toEqual([
      'stream.terminate by kill → shadowed',
      'transcoding.start by hls → open',
    ]);
  });
});

describe('a reload', () => {
  test('gives a new keeper all open places to look at, and ends what a removed one owned', async () => {
    const one = await stage([]);
    await one.feed(opened(), publishes('ann', 's1', 1));
    one.engine.use([bot([bind(hls)])]);
    await rest();
    expect(told(one.decided)).toEqual(['transcoding.start by hls → open']);
    await one.settle(last(one), 'performed', { transcodingId: 't1' });
    one.engine.use([]);
    await one.clock.advance(1);
    expect(last(one)).toMatchObject({ type: 'transcoding.stop', transcodingId: 't1', bot: 'house' });
  });
});

const shown = (streamId: string) =>
  ({ streamId, type: 'User', audio: 'TrackEnabled', video: 'TrackEnabled' }) as const;

/** What the world did: each stream lives from its start to its end; what is left at the end is what ought to be. */
interface World {
  readonly facts: readonly UsherEvent[];
  readonly live: readonly string[];
}

const world = fc
  .array(fc.record({ lives: fc.boolean(), listed: fc.boolean(), told: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((streams) => {
    const facts = streams.flatMap(({ lives, told: isTold }, index): readonly UsherEvent[] => {
      const [id, at] = [`s${index}`, index * 10];
      // A lost start is found by the poll below; a lost end is found by the poll, too.
      return [...(isTold ? [publishes(`p${index}`, id, at)] : []), ...(lives ? [] : [ends(id, at + 5)])];
    });
    const live = streams.flatMap(({ lives }, index) => (lives ? [`s${index}`] : []));
    return fc
      .tuple(
        fc.shuffledSubarray([...facts, ...facts], {
          minLength: facts.length * 2,
          maxLength: facts.length * 2,
        }),
        fc.array(fc.nat(20_000), { minLength: 1, maxLength: 4 }),
      )
      .map(
        ([mixed, pauses]) => ({ facts: mixed, live, pauses }) satisfies World & { pauses: readonly number[] },
      );
  });

/** What the poll after all of it finds: everybody who is live, with the stream. */
const reconciled = (live: readonly string[], at: number): readonly UsherEvent[] =>
  live.flatMap((id) => {
    const one = member(`p${id.slice(1)}`, { streams: [shown(id)], lastUpdate: START + at });
    return [
      withId<MemberChanged>({
        type: 'member.changed',
        at: START + at,
        seenAt: START + at,
        source: 'poll',
        place: ROOM,
        member: one,
        changes: { streams: { from: [], to: [id] } },
      }),
      publishes(one.screenName, id, at, { source: 'poll' }),
    ];
  });

/** A platform that does what it is asked, and what exists on it. */
class Platform {
  readonly transcodings = new Map<string, string>();
  readonly compositions = new Map<string, readonly string[]>();
  #next = 0;
  #done = 0;

  /** Performs what the outbox was given since the last time, some of it with a definite failure. */
  async perform(one: Stage, fails: () => boolean): Promise<boolean> {
    const todo = one.intents.slice(this.#done);
    this.#done = one.intents.length;
    for (const { action } of todo) {
      if (fails()) {
        await one.settle(action, 'failed');
        continue;
      }
      if (action.type === 'transcoding.start') {
        const id = `t${(this.#next += 1)}`;
        this.transcodings.set(id, action.spec.streamId);
        await one.settle(action, 'performed', { transcodingId: id });
      } else if (action.type === 'composition.start') {
        const id = `c${(this.#next += 1)}`;
        this.compositions.set(
          id,
          action.spec.inputs.map(({ streamId }) => streamId),
        );
        await one.feed(onAir(action, id));
        await one.settle(action, 'performed', { compositionId: id });
      } else if (action.type === 'composition.update') {
        this.compositions.set(
          action.compositionId,
          action.spec.inputs.map(({ streamId }) => streamId),
        );
        await one.settle(action);
      } else if (action.type === 'composition.stop' || action.type === 'transcoding.stop') {
        const id = action.type === 'composition.stop' ? action.compositionId : action.transcodingId;
        this.compositions.delete(id);
        this.transcodings.delete(id);
        await one.settle(action);
        await one.feed(ends(id, one.clock.now() - START, { own: true }));
      }
    }
    return todo.length > 0;
  }
}

describe('convergence', () => {
  test('whatever is lost, doubled or shuffled, exactly the right resources are left', async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.infiniteStream(fc.nat(5)), async ({ facts, live, pauses }, chance) => {
        const one = await stage([bot([bind(hls), bind(pip())])]);
        const platform = new Platform();
        const fails = (): boolean => chance.next().value === 0;
        await one.feed(opened());
        for (const [index, fact] of facts.entries()) {
          await one.feed(fact);
          await platform.perform(one, fails);
          if (index % 3 === 0) await one.clock.advance(pauses[index % pauses.length] ?? 0);
        }
        await one.feed(...reconciled(live, one.clock.now() - START));
        // Nothing fails any more; graces and rests come to their ends.
        for (let turn = 0; turn < 12; turn += 1) {
          await platform.perform(one, () => false);
          await one.clock.advance(60_000);
        }
        const wanted = [...live].sort();
        const transcoded = [...platform.transcodings.values()].filter((id) => live.includes(id)).sort();
        expect(transcoded).toEqual(wanted);
        const composed = [...platform.compositions.values()].map((inputs) => [...inputs].sort());
        expect(composed).toEqual(wanted.length < 2 ? [] : [wanted]);
        await one.engine.stop();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
