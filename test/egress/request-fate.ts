import * as fc from 'fast-check';
import type { Clock } from '../../src/engine/ports.ts';
import { DEADLINE_MS, LATEST_LANDING_MS } from './lives.ts';

/** What becomes of one request. */
export interface RequestFate {
  readonly fate: 'ok' | 'refused' | 'lost request' | 'lost answer' | 'late landing';
  readonly takesMs: number;
}

export const requestFate: fc.Arbitrary<RequestFate> = fc.record({
  fate: fc.constantFrom('ok', 'refused', 'lost request', 'lost answer', 'late landing'),
  takesMs: fc.integer({ min: 0, max: LATEST_LANDING_MS }),
});

/** How long each life of the daemon lasts but the last; short ones end between two steps of the protocol. */
export const lifetimes: fc.Arbitrary<number[]> = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 0, max: 60_000 }),
  ),
  { maxLength: 3 },
);

/**
 * Plays the fate: `land` runs when, and if, the request reaches the platform, whoever still waits. Tells what the sender
 * heard: the answer, a refusal, or nothing that proves anything.
 */
export async function suffer<T>(
  { fate, takesMs }: RequestFate,
  clock: Clock,
  signal: AbortSignal,
  land: () => T,
): Promise<{ readonly heard: 'answer'; readonly answer: T } | { readonly heard: 'refusal' | 'nothing' }> {
  const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const gaveUp = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  switch (fate) {
    case 'ok': {
      await after(takesMs % 1_000);
      const answer = land();
      await after(takesMs % 1_000);
      return { heard: 'answer', answer };
    }
    case 'refused':
      await after(takesMs % 1_000);
      return { heard: 'refusal' };
    case 'lost request':
      await gaveUp;
      return { heard: 'nothing' };
    case 'lost answer':
      await after(takesMs % 5_000);
      land();
      return { heard: 'nothing' };
    case 'late landing':
      void after(DEADLINE_MS + takesMs).then(land);
      await gaveUp;
      return { heard: 'nothing' };
    default:
      return fate satisfies never;
  }
}
