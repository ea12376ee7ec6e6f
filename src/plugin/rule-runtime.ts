import { Subject } from 'rxjs';
import type { ActionDraft } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { RuleDefinition } from './definitions.ts';
import { GuardedObservable } from './guarded-observable.ts';

/** More than any honest rule sets in one turn: past it the rule is winding itself up. */
const MOST_TIMERS_A_TURN = 10_000;
/** More than any honest rule waits for in one place: past it the rule forgets to unschedule. */
const MOST_TIMERS = 50_000;

/** More than any rule may do at once: past it the stream does not stop by itself. */
const MOST_ACTIONS_A_TURN = 100_000;

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly work: () => void;
}

/** One stream rule in one place. Everything it does happens inside `push` and `tick`, which throw what it throws. */
export interface RuleRuntime {
  /** Runs what came due before the event, then the event; gives what the rule did, in order. */
  push(event: UsherEvent): readonly ActionDraft[];
  /** Runs what is due at `now` (ms since 1970); `event` is what a rule's `room()` is seen at. */
  tick(now: number): readonly ActionDraft[];
  /** When the rule wants to be woken, ms since 1970. */
  nextDue(): number | null;
  /** Actions that the rule sent when it was not its turn, as a promise or a real timer makes it do: they are lost. */
  readonly outOfTurn: number;
  /** True once the rule's output completed or threw: it will do nothing more. */
  readonly ended: boolean;
  /** Ends the stream. Never throws: gives what a teardown of the rule's (`finalize`, say) threw. */
  dispose(): { readonly error: unknown } | undefined;
  /** Subscriptions on the rule's events that are still open: above zero after `dispose` is a leak. */
  readonly subscriptions: number;
}

/**
 * Starts a stream rule. Shared by the engine and the rule tester, so that a rule is tested by what runs it. Time is
 * event time: `clock.now()` is the newest event or tick and never goes back.
 */
export function startRule(definition: RuleDefinition, options: unknown, room: () => PlaceView): RuleRuntime {
  const event$ = new Subject<UsherEvent>();
  const timers = new Set<Timer>();
  const drafts: ActionDraft[] = [];
  let now = 0;
  let order = 0;
  let turn = false;
  let ended = false;
  let outOfTurn = 0;
  let thrown: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    thrown ??= { error };
  };

  const output$ = definition.rule?.({
    // What a subscriber of the rule's own throws would reach the process by a timer of RxJS.
    event$: new GuardedObservable(event$, fail),
    options,
    room,
    clock: {
      now: () => now,
      schedule(afterMs, work) {
        if (!Number.isFinite(afterMs))
          throw new TypeError(
            `${definition.name} scheduled something after ${afterMs}, which is no time in ms.`,
          );
        if (timers.size >= MOST_TIMERS)
          throw new Error(
            `${definition.name} waits for ${MOST_TIMERS} things in one place; unschedule what is not needed any more.`,
          );
        const timer = { due: now + Math.max(0, Math.ceil(afterMs)), order: (order += 1), work };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
  });
  if (!output$) throw new TypeError(`${definition.name} has no \`rule\` to start.`);
  const subscription = output$.subscribe({
    next: (result: unknown) => {
      const list = listOf(result);
      if (!list)
        fail(new TypeError(`${definition.name} gave ${typeof result}, no action or array of actions.`));
      else if (!turn) outOfTurn += list.length;
      else if (drafts.length + list.length > MOST_ACTIONS_A_TURN)
        fail(new RangeError(`${definition.name} did more than ${MOST_ACTIONS_A_TURN} things in one turn.`));
      else for (const draft of list) drafts.push(draft);
    },
    error: (error: unknown) => {
      ended = true;
      fail(error);
    },
    complete: () => {
      ended = true;
    },
  });

  const earliest = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  };
  const runDue = (until: number): void => {
    let runs = 0;
    for (let timer = earliest(); timer && timer.due <= until; timer = earliest()) {
      if ((runs += 1) > MOST_TIMERS_A_TURN) {
        throw new Error(
          `${definition.name} scheduled more than ${MOST_TIMERS_A_TURN} times in one turn; does it reschedule itself after 0 ms?`,
        );
      }
      timers.delete(timer);
      now = Math.max(now, timer.due);
      timer.work();
      if (thrown) break;
    }
    now = Math.max(now, until);
  };
  const take = (work: () => void): readonly ActionDraft[] => {
    drafts.length = 0;
    turn = true;
    try {
      work();
    } finally {
      turn = false;
    }
    if (thrown) {
      const { error } = thrown;
      thrown = undefined;
      throw error;
    }
    return drafts.slice();
  };

  return {
    push: (event) =>
      take(() => {
        runDue(event.at);
        if (!thrown) event$.next(event);
      }),
    tick: (at) => take(() => runDue(at)),
    nextDue: () => earliest()?.due ?? null,
    get outOfTurn() {
      return outOfTurn;
    },
    get ended() {
      return ended;
    },
    dispose() {
      timers.clear();
      try {
        subscription.unsubscribe();
      } catch (error) {
        return { error };
      }
      return undefined;
    },
    get subscriptions() {
      return event$.observed ? 1 : 0;
    },
  };
}

/** What a rule's stream gave, as a list; undefined when it is neither an action nor an array. */
function listOf(result: unknown): readonly ActionDraft[] | undefined {
  // That they are actions is checked by who gets them.
  if (Array.isArray(result)) return result as readonly ActionDraft[];
  return typeof result === 'object' && result !== null ? [result as ActionDraft] : undefined;
}
