import type { Observable } from 'rxjs';
import type { ZodType } from 'zod';
import type { ActionDraft, ActionType, CompositionSpec, TranscodingSpec } from '../domain/action.ts';
import type { EventOf, EventType } from '../domain/event.ts';
import type { Memory } from '../domain/memory.ts';
import type { PlaceView } from '../domain/place-view.ts';

/** What `decide` gets beside the event. `now` is the event's own time, ms since 1970: there is no other clock. */
export interface DecideContext<O> {
  readonly options: O;
  readonly room: PlaceView;
  readonly remember: Memory;
  readonly now: number;
}

/** What a stream rule gets: the events of one place in order, and time as the engine counts it. */
export interface StreamContext<E extends EventType, O> {
  readonly event$: Observable<EventOf<E>>;
  readonly options: O;
  /** The projection at the event being handled. */
  room(): PlaceView;
  readonly clock: RuleClock;
}

/** Event time. `schedule` runs `work` inside the lane when that time has come; the result unschedules it. */
export interface RuleClock {
  now(): number;
  schedule(afterMs: number, work: () => void): () => void;
}

/**
 * A rule as an author writes it; `defineRule` checks it. Exactly one of `decide` and `rule` is present. The functions
 * are declared as methods so that a rule of narrow types is still a `RuleDefinition`: what it gets at run time is what
 * it `hears`, the engine sees to that.
 */
export interface RuleDefinition<
  E extends EventType = EventType,
  A extends ActionType = ActionType,
  O = unknown,
> {
  readonly kind: 'rule';
  readonly name: string;
  /** Of the code that it came with, where a loader knows it: it changes when any file of the plugin does. */
  readonly version?: string;
  readonly hears: readonly E[];
  readonly mayDo: readonly A[];
  readonly options: ZodType<O>;
  /** How far back a stream rule's closure state reaches, in ms: so much is replayed, muted, after a restart. */
  remembers?(options: O): number;
  decide?(event: EventOf<E>, context: DecideContext<O>): readonly ActionDraft<A>[];
  rule?(context: StreamContext<E, O>): Observable<ActionDraft<A> | readonly ActionDraft<A>[]>;
}

/** A word for `if`: true, or true with what matched (for `{{match}}` and the explanation). */
export interface ConditionDefinition<O = unknown> {
  readonly kind: 'condition';
  readonly name: string;
  /** As a rule's. */
  readonly version?: string;
  readonly options: ZodType<O>;
  test(event: EventOf<EventType>, context: DecideContext<O>): boolean | { readonly match: string };
}

/** A resource that ought to exist in a place. `key` is stable for the same wish: it is how owned and wanted meet. */
export type DesiredResource =
  | { readonly key: string; readonly kind: 'transcoding'; readonly spec: TranscodingSpec }
  | { readonly key: string; readonly kind: 'composition'; readonly spec: CompositionSpec };

/** A word for `keep`: the desired state of a place, from what is known of it. */
export interface KeeperDefinition<O = unknown> {
  readonly kind: 'keeper';
  readonly name: string;
  /** As a rule's. */
  readonly version?: string;
  readonly mayDo: readonly ActionType[];
  readonly options: ZodType<O>;
  /** How long a wish must stand before it is followed, and how long a resource outlives its wish; ms. */
  grace(options: O): { readonly startMs: number; readonly stopMs: number };
  desired(room: PlaceView, options: O): readonly DesiredResource[];
}

/** Any definition a plugin file may export by default (one, or an array of them). */
export type PluginDefinition = RuleDefinition | ConditionDefinition | KeeperDefinition;
