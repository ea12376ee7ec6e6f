import { filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Timed } from './keyed-window.ts';

/**
 * Lets the first event of each key through and holds back the others until `withinMs` have passed since that first
 * one, by event time.
 */
export function oncePer<T extends Timed>(
  keyOf: (event: T) => string,
  { withinMs }: { readonly withinMs: number },
): MonoTypeOperatorFunction<T> {
  return (event$) => {
    // In order of passing, so the first is the one to forget first.
    const passedAt = new Map<string, number>();
    return event$.pipe(
      filter((event) => {
        const key = keyOf(event);
        const last = passedAt.get(key);
        if (last !== undefined && event.at - last < withinMs) return false;
        for (const [other, at] of passedAt) {
          if (event.at - at < withinMs) break;
          passedAt.delete(other);
        }
        passedAt.delete(key);
        passedAt.set(key, event.at);
        return true;
      }),
    );
  };
}
