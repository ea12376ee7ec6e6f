import { RuleTestError } from './assertion-error.ts';

const TIME = 'a rule knows only the event’s own time: use `now`, `event.at` or `clock.now()`';
const TIMERS = 'a rule cannot wait by itself: use `clock.schedule` or a window such as `unlessFollowedBy`';
const CHANCE = 'a rule decides the same each time it is asked: take what differs from the event’s id or text';
const NETWORK = 'a rule asks nobody: what it needs is in the event, the room, its options and its memory';

const forbidden = (what: string, advice: string) => (): never => {
  throw new RuleTestError(`The rule used ${what}; ${advice}.`);
};

/**
 * Runs `work` in a world without wall clock, chance, timers and network: each of them throws with advice. Everything is
 * put back afterwards, whatever happens, so `work` must be synchronous.
 */
export function policed<T>(work: () => T): T {
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { configurable: true, writable: true, value });
    // What was inherited shows again once ours is gone.
    undo.unshift(() => {
      if (before) Object.defineProperty(owner, name, before);
      else Reflect.deleteProperty(owner, name);
    });
  };
  const RealDate = Date;
  const noNow = forbidden('the wall clock (Date)', TIME);
  replace(RealDate, 'now', noNow);
  replace(
    globalThis,
    'Date',
    new Proxy(RealDate, {
      construct: (target, given: [number]) => (given.at(0) === undefined ? noNow() : new target(...given)),
      apply: noNow,
    }),
  );
  replace(Math, 'random', forbidden('Math.random', CHANCE));
  replace(performance, 'now', forbidden('performance.now', TIME));
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
    replace(globalThis, name, forbidden(name, TIMERS));
  }
  replace(globalThis, 'fetch', forbidden('fetch', NETWORK));
  try {
    return work();
  } finally {
    for (const restore of undo) restore();
  }
}
