import { filter, map, type OperatorFunction } from 'rxjs';
import { KeyedWindow, type Timed } from './keyed-window.ts';

/** The events of one key that came too close together, oldest first. */
export interface Burst<T, K extends string> {
  readonly key: K;
  readonly events: readonly T[];
}

/**
 * Emits when `count` events of one key lie within `withinMs` of each other by their own time, then begins to count
 * anew for that key.
 *
 * ```
 * in      a-a-b-a-------a-a-a--
 * out     ------(aaa)-------(aaa)   count 3
 * ```
 */
export function burstsPer<T extends Timed, K extends string>(
  keyOf: (event: T) => K,
  { count, withinMs }: { readonly count: number; readonly withinMs: number },
): OperatorFunction<T, Burst<T, K>> {
  return (event$) => {
    const window = new KeyedWindow<T>(withinMs);
    return event$.pipe(
      map((event) => {
        const key = keyOf(event);
        const events = window.add(key, event);
        if (events.length < count) return undefined;
        window.clear(key);
        return { key, events: [...events] };
      }),
      filter((burst) => burst !== undefined),
    );
  };
}
