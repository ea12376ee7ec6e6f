/** How long to wait after the n-th failure in a row. */
export interface Backoff {
  readonly firstMs: number;
  readonly capMs: number;
}

/**
 * Doubling up to the cap, the upper half of it by chance, so that what failed together does not come back together.
 * `failures` counts from 1; `random` is in [0, 1).
 */
export function backoffMs(backoff: Backoff, failures: number, random: () => number): number {
  const full = Math.min(backoff.capMs, backoff.firstMs * 2 ** Math.min(failures - 1, 30));
  return full / 2 + (full / 2) * random();
}
