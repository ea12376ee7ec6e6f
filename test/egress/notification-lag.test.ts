import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTIFICATION_SPAN_MS, toldBy } from '../../src/egress/notification-lag.ts';

const GRACE_MS = 30_000;

/** When the platform tries: after 3 s, 6 s, … from the end of the attempt before, nine times. */
const attemptsFrom = (landedMs: number): number[] =>
  Array.from({ length: 10 }, (_, nth) => landedMs + 3_000 * (2 ** nth - 1));

test('whenever we come back, what the platform still tells is told before absence counts as proof', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: GRACE_MS }),
      fc.integer({ min: 0, max: 2 * NOTIFICATION_SPAN_MS }),
      (landedMs, hearingSinceMs) => {
        const doubt = { sinceMs: 0, provenFromMs: GRACE_MS };
        const { provenFromMs, mayBeLost } = toldBy(doubt, hearingSinceMs, GRACE_MS);
        const heardMs = attemptsFrom(landedMs).find((at) => at >= hearingSinceMs);
        expect(heardMs === undefined ? mayBeLost : mayBeLost || heardMs <= provenFromMs).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('who listened all the time waits for GRACE alone', () => {
  const doubt = { sinceMs: 5_000, provenFromMs: 35_000 };
  expect(toldBy(doubt, 5_000, GRACE_MS)).toEqual({ provenFromMs: 35_000, mayBeLost: false });
});

test('a short time without listening makes the wait longer by about as much', () => {
  const doubt = { sinceMs: -10_000, provenFromMs: 30_000 };
  expect(toldBy(doubt, 0, GRACE_MS)).toEqual({ provenFromMs: 43_000, mayBeLost: false });
});

test('the wait ends once all retries must have come, however often nobody listened', () => {
  const doubt = { sinceMs: 0, provenFromMs: 30_000 };
  for (const hearingSinceMs of [1_000_000, 2_000_000, 9_000_000])
    expect(toldBy(doubt, hearingSinceMs, GRACE_MS).provenFromMs).toBeLessThanOrEqual(
      30_000 + NOTIFICATION_SPAN_MS,
    );
  expect(toldBy(doubt, 2_000_000, GRACE_MS).mayBeLost).toBe(true);
});
