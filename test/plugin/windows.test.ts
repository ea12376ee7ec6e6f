import fc from 'fast-check';
import { finalize, from, Subject, toArray, firstValueFrom, type OperatorFunction } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { KeyedWindow } from '../../src/plugin/keyed-window.ts';
import { burstsPer, distinctPer, oncePer, unlessFollowedBy, type RuleClock } from '../../src/plugin/index.ts';

interface Seen {
  readonly at: number;
  readonly who: string;
  readonly text: string;
}

/** Drawn as `a b a`, one second apart; `-` is a second in which nothing happens. */
const drawn = (picture: string): readonly Seen[] =>
  picture
    .split('')
    .flatMap((who, second) => (who === '-' ? [] : [{ at: second * 1_000, who, text: `${second}` }]));
const all = <T>(events: readonly Seen[], operator: OperatorFunction<Seen, T>): Promise<readonly T[]> =>
  firstValueFrom(from(events).pipe(operator, toArray()));

describe('burstsPer', () => {
  test.each<[string, string, readonly string[]]>([
    ['three of one key in time', 'aaa', ['a 0 1 2']],
    ['keys do not count for each other', 'ababa', ['a 0 2 4']],
    ['too slow is no burst', 'a--a--a', []],
    ['the edge of the window is outside', 'a-a--a', []],
    ['it counts anew after a burst', 'aaaaaa', ['a 0 1 2', 'a 3 4 5']],
  ])('%s', async (_, picture, expected) => {
    const bursts = await all(
      drawn(picture),
      burstsPer(({ who }) => who, { count: 3, withinMs: 5_000 }),
    );
    expect(bursts.map(({ key, events }) => `${key} ${events.map(({ text }) => text).join(' ')}`)).toEqual(
      expected,
    );
  });

  test('emits exactly when a window of any length is full, whatever comes', async () => {
    const events = fc
      .array(fc.record({ gap: fc.nat(4_000), who: fc.constantFrom('a', 'b', 'c') }), { maxLength: 60 })
      .map((list) => {
        let at = 0;
        return list.map(({ gap, who }, index) => ({ at: (at += gap), who, text: `${index}` }));
      });
    await fc.assert(
      fc.asyncProperty(events, fc.integer({ min: 2, max: 5 }), async (list, count) => {
        const bursts = await all(
          list,
          burstsPer(({ who }) => who, { count, withinMs: 5_000 }),
        );
        const expected: string[] = [];
        const open = new Map<string, Seen[]>();
        for (const event of list) {
          const recent = (open.get(event.who) ?? []).filter(({ at }) => event.at - at < 5_000).concat(event);
          if (recent.length < count) open.set(event.who, recent);
          else {
            expected.push(recent.map(({ text }) => text).join(' '));
            open.delete(event.who);
          }
        }
        expect(bursts.map((burst) => burst.events.map(({ text }) => text).join(' '))).toEqual(expected);
      }),
    );
  });
});

describe('distinctPer', () => {
  test('counts values and not events', async () => {
    const events = 'aabac'.split('').map((who, second) => ({ at: second * 1_000, who, text: 'x' }));
    const crowds = await all(
      events,
      distinctPer(
        ({ text }) => text,
        ({ who }) => who,
        { count: 3, withinMs: 60_000 },
      ),
    );
    expect(crowds.map(({ key, values, events: own }) => [key, values, own.length])).toEqual([
      ['x', ['a', 'b', 'c'], 3],
    ]);
  });
});

describe('oncePer', () => {
  test('lets the first of each key through until its time is over', async () => {
    const passed = await all(
      drawn('aab-aa-a'),
      oncePer(({ who }) => who, { withinMs: 5_000 }),
    );
    expect(passed.map(({ who, text }) => who + text)).toEqual(['a0', 'b2', 'a5']);
  });
});

describe('unlessFollowedBy', () => {
  const setUp = () => {
    let now = 0;
    const timers = new Set<{ readonly due: number; readonly work: () => void }>();
    const clock: RuleClock = {
      now: () => now,
      schedule(afterMs, work) {
        const timer = { due: now + afterMs, work };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    };
    const events = new Subject<Seen>();
    const out: string[] = [];
    const subscription = events
      .pipe(
        unlessFollowedBy({
          keyOf: ({ who }) => who,
          opens: ({ text }) => text === '?',
          closes: ({ text }) => text === '!',
          withinMs: 10_000,
          clock,
        }),
      )
      .subscribe(({ who, at }) => out.push(`${who}${at}`));
    const goTo = (at: number): void => {
      now = at;
      for (const timer of timers) {
        if (timer.due > at) continue;
        timers.delete(timer);
        timer.work();
      }
    };
    const say = (who: string, text: string, at: number): void => {
      goTo(at);
      events.next({ at, who, text });
    };
    return { clock, goTo, say, out, timers, subscription };
  };

  const waits = (clock: RuleClock, keyOf: (seen: Seen) => string) =>
    unlessFollowedBy<Seen>({ keyOf, opens: () => true, closes: () => false, withinMs: 10, clock });

  test('passes on what the author’s own functions throw', async () => {
    const keyOf = (): string => {
      throw new Error('no key');
    };
    await expect(
      all(drawn('a'), waits({ now: () => 0, schedule: () => () => undefined }, keyOf)),
    ).rejects.toThrow('no key');
  });

  test('leaves no wait behind when what is upstream throws at its end', () => {
    const { clock, timers } = setUp();
    const events = new Subject<Seen>();
    const torn = finalize<Seen>(() => {
      throw new Error('torn');
    });
    const subscription = events
      .pipe(
        torn,
        waits(clock, ({ who }) => who),
      )
      .subscribe();
    events.next({ at: 0, who: 'a', text: '' });
    expect(timers.size).toBe(1);
    expect(() => subscription.unsubscribe()).toThrow('torn');
    expect(timers.size).toBe(0);
  });

  test('tells what nobody answered in time, by key', () => {
    const { goTo, say, out } = setUp();
    say('a', '?', 0);
    say('b', '?', 1_000);
    say('a', '?', 2_000);
    say('b', '!', 3_000);
    goTo(9_999);
    expect(out).toEqual([]);
    goTo(10_000);
    expect(out).toEqual(['a0']);
    say('a', '?', 11_000);
    goTo(21_000);
    expect(out).toEqual(['a0', 'a11000']);
  });

  test('leaves no timer behind', () => {
    const { say, timers, subscription } = setUp();
    say('a', '?', 0);
    expect(timers.size).toBe(1);
    subscription.unsubscribe();
    expect(timers.size).toBe(0);
  });
});

describe('a window', () => {
  test('forgets keys that had nothing new for its length', () => {
    const window = new KeyedWindow<Seen>(5_000);
    for (let index = 0; index < 1_000; index += 1)
      window.add(`k${index}`, { at: index * 100, who: '', text: '' });
    expect(window.size).toBe(50);
  });
  test('takes what comes out of order where it belongs', () => {
    const window = new KeyedWindow<Seen>(5_000);
    window.add('k', { at: 10_000, who: '', text: 'new' });
    expect(window.add('k', { at: 6_000, who: '', text: 'older' })).toHaveLength(2);
    expect(window.add('k', { at: 5_000, who: '', text: 'too old' })).toHaveLength(2);
  });
  test('of no length is refused', () => {
    expect(() => new KeyedWindow(0)).toThrow(/above zero/);
  });
});
