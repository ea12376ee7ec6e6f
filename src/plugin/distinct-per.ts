import { filter, map, type OperatorFunction } from 'rxjs';
import { KeyedWindow, type Timed } from './keyed-window.ts';

/** Events of one key that differ in what was asked about, oldest first, one for each value. */
export interface Crowd<T, K extends string> {
  readonly key: K;
  readonly values: readonly string[];
  readonly events: readonly T[];
}

/**
 * Emits when events of one key carry `count` different values within `withinMs`, say one text from five members, then
 * begins to count anew for that key.
 */
export function distinctPer<T extends Timed, K extends string>(
  keyOf: (event: T) => K,
  valueOf: (event: T) => string,
  { count, withinMs }: { readonly count: number; readonly withinMs: number },
): OperatorFunction<T, Crowd<T, K>> {
  return (event$) => {
    const window = new KeyedWindow<T>(withinMs);
    return event$.pipe(
      map((event) => {
        const key = keyOf(event);
        const byValue = new Map<string, T>();
        for (const seen of window.add(key, event)) byValue.set(valueOf(seen), seen);
        if (byValue.size < count) return undefined;
        window.clear(key);
        return { key, values: [...byValue.keys()], events: [...byValue.values()] };
      }),
      filter((crowd) => crowd !== undefined),
    );
  };
}
