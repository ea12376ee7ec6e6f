import { seededRandom } from '../ingress/random.ts';

/** What is done to the process under test, after it has worked for `afterMs`. */
export type Fault =
  | { readonly kind: 'kill'; readonly afterMs: number; readonly downMs: number }
  /** Killed, started again, and killed again so long after that start. */
  | { readonly kind: 'kill in the start'; readonly afterMs: number; readonly intoStartMs: number }
  /** Stopped with SIGSTOP, woken by SIGCONT: what it was about to do it does now. */
  | { readonly kind: 'freeze'; readonly afterMs: number; readonly forMs: number }
  | { readonly kind: 'freeze, then kill'; readonly afterMs: number; readonly forMs: number };

/** In ms; the bounds of a freeze are to be chosen around deadline and GRACE. */
export interface Pace {
  readonly upMs: readonly [number, number];
  readonly downMs: readonly [number, number];
  readonly intoStartMs: readonly [number, number];
  readonly freezeMs: readonly [number, number];
}

/** Of so many faults, these are something other than a plain kill. */
const SHARE = { 'kill in the start': 0.17, freeze: 0.1, 'freeze, then kill': 0.04 } as const;

/** The same seed gives the same faults in the same order, and each kind comes up as often as its share says. */
export function planFaults(seed: number, count: number, pace: Pace): readonly Fault[] {
  const random = seededRandom(seed);
  const within = ([low, high]: readonly [number, number]): number =>
    Math.round(low + random() * (high - low));
  const fault = (kind: Fault['kind']): Fault => {
    const afterMs = within(pace.upMs);
    switch (kind) {
      case 'kill':
        return { kind, afterMs, downMs: within(pace.downMs) };
      case 'kill in the start':
        return { kind, afterMs, intoStartMs: within(pace.intoStartMs) };
      case 'freeze':
      case 'freeze, then kill':
        return { kind, afterMs, forMs: within(pace.freezeMs) };
      default:
        return kind satisfies never;
    }
  };
  const special = (Object.keys(SHARE) as (keyof typeof SHARE)[]).flatMap((kind) =>
    Array.from({ length: Math.round(count * SHARE[kind]) }, () => kind),
  ); // the keys of a constant
  const kinds: Fault['kind'][] = [...special, ...Array.from({ length: count }, () => 'kill' as const)].slice(
    0,
    count,
  );
  for (let index = kinds.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [kinds[index], kinds[other]] = [kinds[other] ?? 'kill', kinds[index] ?? 'kill'];
  }
  return kinds.map(fault);
}
