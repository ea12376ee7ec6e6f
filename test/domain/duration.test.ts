import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/domain/duration.ts';

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
    ['1.5h', 5_400_000],
    [' 3s ', 3_000],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

  test.each(['', '10', 's', '10 s', '-1s', '1w', '1h30m', '1e3s', '1s;'])('%j is no duration', (text) =>
    expect(parseDuration(text)).toBeUndefined(),
  );

  test('what is printed reads back the same', () =>
    fc.assert(
      fc.property(fc.nat(10 ** 12), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    ));

  test('the largest exact unit is printed', () => {
    expect([90_000, 600_000, 86_400_000, 1_500, 0].map(formatDuration)).toEqual([
      '90s',
      '10m',
      '1d',
      '1500ms',
      '0ms',
    ]);
  });
});
