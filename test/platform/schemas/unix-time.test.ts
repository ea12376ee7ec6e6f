import { expect, test } from 'vitest';
import { rfc3339, unixTime } from '../../../src/platform/schemas/unix-time.ts';

test.each([
  [0, 0],
  [1_617_911_199, 1_617_911_199_000],
  [99_999_999_999, 99_999_999_999_000],
  [100_000_000_000, 100_000_000_000],
  [1_617_911_199_877, 1_617_911_199_877],
])('the UNIX timestamp %i is %i ms', (given, expected) => {
  expect(unixTime.parse(given)).toBe(expected);
});

test.each([-1, 1.5, '1617911199', null])('%j is no UNIX timestamp', (given) => {
  expect(unixTime.safeParse(given).success).toBe(false);
});

test.each(['2021-04-08T19:46:39.877Z', '2021-04-08T19:46:39+02:00'])('%s is RFC 3339', (text) => {
  expect(rfc3339.parse(text)).toBe(text);
});
