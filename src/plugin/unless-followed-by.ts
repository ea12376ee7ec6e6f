import { Observable, type OperatorFunction } from 'rxjs';
import type { RuleClock } from './definitions.ts';
import type { Timed } from './keyed-window.ts';

/**
 * Emits an event that `opens` once `withinMs` have passed without one of the same key that `closes`: somebody raised a
 * hand and nobody answered, a stream started and no picture came. Waits on the rule's clock, so a test needs no sleep.
 * A second opening of a key that waits already changes nothing.
 */
export function unlessFollowedBy<T extends Timed, Opening extends T = T>(options: {
  readonly keyOf: (event: T) => string;
  readonly opens: ((event: T) => event is Opening) | ((event: T) => boolean);
  readonly closes: (event: T) => boolean;
  readonly withinMs: number;
  readonly clock: RuleClock;
}): OperatorFunction<T, Opening> {
  const { keyOf, opens, closes, withinMs, clock } = options;
  return (event$) =>
    new Observable<Opening>((subscriber) => {
      const waiting = new Map<string, () => void>();
      const take = (event: T): void => {
        const key = keyOf(event);
        if (closes(event)) {
          waiting.get(key)?.();
          waiting.delete(key);
        } else if (opens(event) && !waiting.has(key)) {
          const emit = () => {
            waiting.delete(key);
            // `opens` said so; the two signatures of it cannot be told apart by the compiler here.
            subscriber.next(event as Opening);
          };
          waiting.set(key, clock.schedule(event.at + withinMs - clock.now(), emit));
        }
      };
      const subscription = event$.subscribe({
        next: (event) => {
          try {
            take(event);
          } catch (error) {
            // Out of a handler RxJS would rethrow it on a timer, where it ends the process.
            subscriber.error(error);
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
      return () => {
        // First: what is upstream may throw when it is torn down.
        for (const cancel of waiting.values()) cancel();
        waiting.clear();
        subscription.unsubscribe();
      };
    });
}
