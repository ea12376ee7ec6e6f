import { describe, expect, test } from 'vitest';
import { Stillness, type Finding } from '../../src/daemon/stillness.ts';
import type { Sight } from '../../src/daemon/watchdog-marks.ts';

const SETTINGS = { tickMs: 100, warnAfterMs: 500, endAfterMs: 2_000 };

/** What so many looks at the same sight came to, by the number of the look. */
const looks = (stillness: Stillness, times: number, sight: (look: number) => Sight): [number, Finding][] =>
  Array.from({ length: times }, (_, index) => index + 1).flatMap((look) => {
    const finding = stillness.look(sight(look));
    return finding ? [[look, finding]] : [];
  });
const begun = (settings = SETTINGS): Stillness => {
  const stillness = new Stillness(settings);
  stillness.look({ beat: 1, rule: 0, seq: 0 });
  return stillness;
};

describe('the stillness of the event loop', () => {
  test('a loop that turns is nothing, however long its rules run', () => {
    expect(looks(begun(), 1_000, (look) => ({ beat: look + 1, rule: 3, seq: 7 }))).toEqual([]);
  });

  test('a rule that does not come back is named, again at twice the time, and ends the process', () => {
    const call = (forMs: number) => ({ rule: 3, seq: 7, forMs });
    const stuck: Sight = { beat: 2, rule: 3, seq: 7 };
    const stillness = begun();
    stillness.look(stuck);
    expect(looks(stillness, 20, () => stuck)).toEqual([
      [5, { kind: 'blocked', stillMs: 500, call: call(500) }],
      [10, { kind: 'blocked', stillMs: 1_000, call: call(1_000) }],
      [20, { kind: 'end', stillMs: 2_000, call: call(2_000) }],
    ]);
  });

  test('a loop that stands still while no rule runs blames nobody', () => {
    const stuck: Sight = { beat: 1, rule: 0, seq: 7 };
    expect(looks(begun(), 20, () => stuck)).toEqual([
      [5, { kind: 'blocked', stillMs: 500 }],
      [10, { kind: 'blocked', stillMs: 1_000 }],
      [20, { kind: 'end', stillMs: 2_000 }],
    ]);
  });

  test('many calls in a row that each come back blame none of them', () => {
    const findings = looks(begun(), 20, (look) => ({ beat: 1, rule: 3, seq: look }));
    expect(findings.map(([, { call }]) => call)).toEqual([undefined, undefined, undefined]);
  });

  test('the end of a stillness that was told is told, a short one is not', () => {
    const stillness = begun();
    looks(stillness, 7, () => ({ beat: 1, rule: 3, seq: 7 }));
    expect(stillness.look({ beat: 2, rule: 0, seq: 7 })).toEqual({ kind: 'over', stillMs: 700 });
    looks(stillness, 4, () => ({ beat: 2, rule: 3, seq: 8 }));
    expect(stillness.look({ beat: 3, rule: 0, seq: 8 })).toBeUndefined();
  });

  test('a process that was frozen between two looks has stood still for one', () => {
    const stillness = begun();
    // However long that took: both threads slept, and took up where they were.
    expect(stillness.look({ beat: 1, rule: 3, seq: 7 })).toBeUndefined();
    expect(stillness.look({ beat: 2, rule: 3, seq: 7 })).toBeUndefined();
  });

  test('without an end it goes on to warn, ever more seldom', () => {
    const findings = looks(begun({ ...SETTINGS, endAfterMs: Infinity }), 200, () => ({
      beat: 1,
      rule: 0,
      seq: 0,
    }));
    expect(findings.map(([look]) => look)).toEqual([5, 10, 20, 40, 80, 160]);
  });
});
