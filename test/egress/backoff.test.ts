import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../src/egress/backoff.ts';

const backoff = { firstMs: 500, capMs: 60_000 };

test('doubles from the first wait up to the cap', () => {
  const most = () => 1;
  expect([1, 2, 3, 7, 8, 100, 10_000].map((n) => backoffMs(backoff, n, most))).toEqual([
    500, 1_000, 2_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});

test('is never less than half of itself by chance, and never more than the cap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, chance) => {
        const waited = backoffMs(backoff, n, () => chance);
        expect(waited).toBeGreaterThanOrEqual(backoffMs(backoff, n, () => 1) / 2);
        expect(waited).toBeLessThanOrEqual(60_000);
      },
    ),
  );
});
