import { finalize, map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { LaneCommit, Lanes, Whereabouts } from '../../src/engine/ports.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { defineRule, reply, z, type RuleDefinition } from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { opened, room, says } from './facts.ts';
import { stage, type Stage } from './stage.ts';
import { rest } from './virtual-clock.ts';

const answering = rule('answering', ['message.posted'], (event) =>
  event.type === 'message.posted' ? [reply(event, `answer to ${event.text}`)] : [],
);
/** A stream rule that counts its instances, and the messages that each has seen. */
function counting(): {
  readonly definition: RuleDefinition;
  readonly open: () => number;
  readonly started: () => number;
} {
  let [open, started] = [0, 0];
  const definition = defineRule({
    name: 'counting',
    hears: ['message.posted'],
    mayDo: ['message.send'],
    options: z.unknown(),
    remembers: () => 600_000,
    rule: ({ event$ }) => {
      let seen = 0;
      open += 1;
      started += 1;
      return event$.pipe(
        map((event) => reply(event, `count ${(seen += 1)}`)),
        finalize(() => (open -= 1)),
      );
    },
  });
  return { definition, open: () => open, started: () => started };
}
/** A stream rule whose teardown throws. */
const tearing = (): RuleDefinition =>
  defineRule({
    name: 'tearing',
    hears: ['message.posted'],
    mayDo: ['message.send'],
    options: z.unknown(),
    rule: ({ event$ }) =>
      event$.pipe(
        map((event) => reply(event, 'heard')),
        finalize(() => {
          throw new Error('torn');
        }),
      ),
  });
const textsOf = (one: Stage, by: string): readonly string[] =>
  one.decided.flatMap(({ action }) =>
    action.rule === by && action.type === 'message.send' ? [action.text] : [],
  );
const numbers = (count: number, word: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}`);

describe('a hot reload', () => {
  test('a hundred of them under load lose no event, double none, and leave no instance behind', async () => {
    const stream = counting();
    const bots = (version: number) => [
      bot([
        bind(answering, { fingerprint: `answering ${version}` }),
        // Every other reload changes it.
        bind(stream.definition, { fingerprint: `counting ${version >> 1}` }),
      ]),
    ];
    const one = await stage(bots(0));
    await one.feed(opened());
    for (let version = 1; version <= 100; version += 1) {
      const events = [1, 2, 3].map((of) => says('ann', `${(version - 1) * 3 + of}`, version * 10 + of));
      const accepted = one.engine.accept(events);
      one.engine.use(bots(version));
      await accepted;
      if (version % 7 === 0) await rest();
    }
    await rest();
    expect(textsOf(one, 'answering')).toEqual(numbers(300, 'answer to'));
    // A changed instance is as full as the one before it: the last minutes were shown to it.
    expect(textsOf(one, 'counting')).toEqual(numbers(300, 'count'));
    expect(stream.started()).toBeGreaterThan(10);
    expect(stream.open()).toBe(1);
    one.engine.use([bot([bind(answering)])]);
    await one.feed(says('ann', 'last', 5_000));
    expect(stream.open()).toBe(0);
  });

  test('a teardown that throws is told, and stops no lane', async () => {
    const [leaving, neighbour] = [tearing(), bind(answering)];
    const one = await stage([bot([bind(leaving), neighbour])]);
    await one.feed(opened(), opened(room('r2')), says('ann', '1', 1));
    one.engine.use([bot([neighbour])]);
    await one.feed(says('ann', '2', 2), says('ann', '3', 3, { place: room('r2') }));
    expect(textsOf(one, 'answering')).toEqual(['answer to 1', 'answer to 2', 'answer to 3']);
    expect(one.engine.stats().undone).toBe(0);
    expect(one.logged.filter(({ message }) => message.includes('its stream was ended'))).toMatchObject([
      { data: { bot: 'house', rule: 'tearing', lane: 'room:r1', error: expect.stringContaining('torn') } },
    ]);
  });

  test('a teardown that throws does not keep a lane in memory, and does not leave the timer', async () => {
    const one = await stage([bot([bind(tearing())])]);
    await one.feed(says('ann', 'x', 1), says('ann', 'x', 1, { place: room('r2') }));
    await one.clock.advance(700_000);
    expect(one.engine.stats().lanes).toBe(0);
    expect(one.logged.filter(({ message }) => message.includes('its stream was ended'))).toHaveLength(2);
  });

  test('a teardown runs under the name of its rule, for the watchdog', async () => {
    let [running, during] = [0, 0];
    const noting = defineRule({
      name: 'noting',
      hears: ['message.posted'],
      mayDo: ['message.send'],
      options: z.unknown(),
      rule: ({ event$ }) =>
        event$.pipe(
          map(() => []),
          finalize(() => (during = running)),
        ),
    });
    const whereabouts: Whereabouts = {
      number: () => 7,
      handling: () => undefined,
      running: (rule) => (running = rule),
    };
    const one = await stage([bot([bind(noting)])], { whereabouts });
    await one.feed(opened(), says('ann', '1', 1));
    one.engine.use([bot([])]);
    await one.feed(says('ann', '2', 2));
    expect([during, running]).toEqual([7, 0]);
  });

  test('a lane that cannot go on is told and tried again, and holds up no other', async () => {
    let broken = false;
    const covers = ({ id }: { readonly id: string }): boolean => {
      if (broken && id === 'r1') throw new Error('no such scope');
      return true;
    };
    const bots = () => [bot([bind(answering)], { scope: { covers } })];
    const one = await stage(bots());
    broken = true;
    await one.feed(says('ann', '1', 1), says('ann', '2', 2, { place: room('r2') }));
    await one.feed(says('ann', '3', 3), says('ann', '4', 4, { place: room('r2') }));
    expect(textsOf(one, 'answering')).toEqual(['answer to 2', 'answer to 4']);
    expect(one.logged).toMatchObject([{ data: { lane: 'room:r1', error: 'no such scope' } }]);
    broken = false;
    await one.clock.advance(1_000);
    expect(textsOf(one, 'answering').slice(2)).toEqual(['answer to 1', 'answer to 3']);
    expect(one.engine.stats().undone).toBe(0);
  });

  test('the instances of a place go with its lane', async () => {
    const stream = counting();
    const one = await stage([bot([bind(stream.definition)])]);
    for (const id of ['r1', 'r2', 'r3']) await one.feed(says('ann', 'x', 1, { place: room(id) }));
    expect(stream.open()).toBe(3);
    // The places were never listed, so nothing holds their lanes in memory.
    await one.clock.advance(700_000);
    expect(one.engine.stats().lanes).toBe(0);
    expect(stream.open()).toBe(0);
  });

  test('a quarantine outlives it, unless the rule was changed; then nothing of it is left', async () => {
    let broken = true;
    const throwing = rule('throwing', ['message.posted'], (event) => {
      if (broken) throw new Error('broken');
      return event.type === 'message.posted' ? [reply(event, 'ok')] : [];
    });
    const one = await stage([bot([bind(throwing)])]);
    await one.feed(opened());
    for (let at = 0; at < 5; at += 1) {
      await one.feed(says('ann', 'x', at));
      await one.clock.advance(10_000);
    }
    broken = false;
    one.engine.use([bot([bind(throwing), bind(answering)])]);
    await one.feed(says('ann', 'y', 6));
    expect(textsOf(one, 'throwing')).toEqual([]);
    expect(one.engine.stats().quarantined).toEqual(['house/throwing']);
    one.engine.use([bot([bind(throwing, { fingerprint: 'mended' }), bind(answering)])]);
    expect(one.engine.stats().quarantined).toEqual([]);
    await one.feed(says('ann', 'z', 7));
    expect(textsOf(one, 'throwing')).toEqual(['ok']);
    expect(textsOf(one, 'answering')).toEqual(['answer to y', 'answer to z']);
  });

  test('what waits for a store that hangs is handled once, by the rules of then', async () => {
    const store = memoryStore({ now: () => 0 });
    let held: (() => void)[] | null = [];
    const lanes: Lanes = {
      ...store.lanes,
      load: (lane) => store.lanes.load(lane),
      list: () => store.lanes.list(),
      async commit(commit: LaneCommit) {
        if (held) await new Promise<void>((resolve) => held?.push(resolve));
        return store.lanes.commit(commit);
      },
    };
    const answers = (word: string) =>
      rule('answers', ['message.posted'], (event) =>
        event.type === 'message.posted' ? [reply(event, `${word} ${event.text}`)] : [],
      );
    const one = await stage([bot([bind(answers('old'))])], { store, lanes });
    await one.engine.accept([says('ann', '1', 1)]);
    await one.engine.accept([says('ann', '2', 2), says('ann', '3', 3)]);
    expect(one.engine.stats().undone).toBe(3);
    one.engine.use([bot([bind(answers('new'), { fingerprint: 'new' })])]);
    await one.engine.accept([says('ann', '4', 4)]);
    const waiting = held ?? [];
    held = null;
    for (const go of waiting) go();
    await rest();
    expect(textsOf(one, 'answers')).toEqual(['old 1', 'new 2', 'new 3', 'new 4']);
    expect(one.engine.stats().undone).toBe(0);
  });
});
