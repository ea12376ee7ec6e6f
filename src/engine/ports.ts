/**
 * What the folders need of each other, and nothing else: ingress, engine, egress, store and console meet here, by type.
 * The daemon plugs them together.
 */
import type { Action, ActionId, OutcomeKind } from '../domain/action.ts';
import type { ActionSettled, EventId, EventType, UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Plain } from '../domain/memory.ts';
import type { MemberKey } from '../domain/member.ts';
import type { PlaceFacts, PlaceRef } from '../domain/place.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { Mode } from '../plugin/bot.ts';

/** A source of wall time, injected so that tests and replays own it. Ms since 1970 and a monotonic ms count. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Runs `work` once after `delayMs`; the result cancels it. Never keeps the process alive by itself. */
  after(delayMs: number, work: () => void): () => void;
}

/** What engine, ingress and egress need of a logger: pino's own order, facts before words. */
export interface Log {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

/** An event with its position in the journal; positions only grow. */
export interface Journaled<E extends UsherEvent = UsherEvent> {
  readonly seq: number;
  readonly lane: LaneKey;
  readonly event: E;
}

/** All that is given must hold. Without a limit everything that matches is read: page by `seq` where that is much. */
export interface JournalQuery {
  /** Exclusive, whatever the direction. */
  readonly afterSeq?: number;
  /** Exclusive: with `backward`, the next page. */
  readonly beforeSeq?: number;
  /** Of `event.at`, inclusive. */
  readonly fromAt?: number;
  /** Of `event.at`, inclusive. */
  readonly toAt?: number;
  readonly lane?: LaneKey;
  readonly types?: readonly EventType[];
  /** Newest first when true. */
  readonly backward?: boolean;
  readonly limit?: number;
}

/** The events table. `append` resolves when the events are durable; rejects with `StoreError` when they are not. */
export interface Journal {
  /** One answer per event in order: its row, or `duplicate` where the id was there before. */
  append(
    events: readonly { readonly lane: LaneKey; readonly event: UsherEvent }[],
  ): Promise<readonly (Journaled | 'duplicate')[]>;
  /** Events that no lane has handled yet, in order of arrival. */
  undone(limit: number, afterSeq?: number): Promise<readonly Journaled[]>;
  read(query: JournalQuery): Promise<readonly Journaled[]>;
  find(id: EventId): Promise<Journaled | undefined>;
}

/** A lane's state in named parts, so that only the parts that changed are written. All parts reflect `position`. */
export interface LaneDocument {
  readonly lane: LaneKey;
  readonly position: number;
  readonly parts: Readonly<Record<string, Plain>>;
  /** Event time at which the lane wants a `clock.ticked`, ms since 1970. */
  readonly wakeAt: number | null;
}

/** An action as the store keeps it, from intent to outcome. */
export interface ActionRecord {
  readonly action: Action;
  readonly lane: LaneKey;
  readonly mode: Mode;
  /** Settled at the decision itself (shadow, own state, refused permission): never seen by the outbox. */
  readonly settled?: { readonly outcome: OutcomeKind; readonly detail: string };
}

/** One durable write per handled event or batch of one lane: events done, state, intents. All or nothing. */
export interface LaneCommit {
  readonly lane: LaneKey;
  /** Sequence numbers handled, ascending. */
  readonly handled: readonly number[];
  /** Changed parts; null deletes one. */
  readonly parts: Readonly<Record<string, Plain | null>>;
  readonly wakeAt: number | null;
  /** An action whose id is known already is left as it is: that is what makes a second handling harmless. */
  readonly actions: readonly ActionRecord[];
}

export interface Lanes {
  load(lane: LaneKey): Promise<LaneDocument | undefined>;
  /** Resolves when durable, with the ids of the actions that were new. */
  commit(commit: LaneCommit): Promise<readonly ActionId[]>;
  /** All lanes with state, without their parts: for start-up. */
  list(): Promise<readonly { readonly lane: LaneKey; readonly wakeAt: number | null }[]>;
}

/** An action that has no outcome yet, as the outbox finds it at start. */
export interface OpenAction extends ActionRecord {
  readonly attempts: number;
  /** When the last attempt was marked, ms since 1970; null when none was. */
  readonly markedAt: number | null;
}

/** The outbox's own table. */
export interface Actions {
  /** In order of intent. */
  open(): Promise<readonly OpenAction[]>;
  /** Durable before the call goes out: no mark, no call. */
  mark(id: ActionId, attempt: number, at: number): Promise<void>;
  /** Outcome and its `action.settled` event in one durable write. */
  settle(id: ActionId, event: ActionSettled, lane: LaneKey): Promise<Journaled | 'duplicate'>;
  find(
    id: ActionId,
  ): Promise<(ActionRecord & { readonly outcome?: OutcomeKind; readonly detail?: string }) | undefined>;
}

/** The one way in: lane found, journaled, then handed to the lanes. Resolves when durable, before any rule runs. */
export interface Intake {
  /** Throws `InboxFullError` or `StoreError`: nothing of the batch was taken then. */
  accept(events: readonly UsherEvent[]): Promise<readonly ('new' | 'duplicate')[]>;
}

/** Where the engine hands intents after their commit. Must not throw; the outbox has its own durable list. */
export interface IntentSink {
  enqueue(records: readonly ActionRecord[]): void;
}

/** What polls are compared with: the projections in memory. */
export interface PlaceDirectory {
  /** Places that are open, as last listed. */
  places(): readonly PlaceFacts[];
  view(place: PlaceRef): PlaceView | undefined;
  /** Newest message that the lane has handled; undefined before the first. */
  lastMessageId(place: PlaceRef): string | undefined;
  /** When the daemon learnt of the oldest event that the place's lane has not handled; undefined while none waits. */
  waitingSince(place: PlaceRef): number | undefined;
  /** When this daemon last learnt of the member or stream, ms since 1970: a poll sent earlier cannot deny it. */
  seenAt(place: PlaceRef, id: string): number | undefined;
}

/** Who may send next on the one budget of the platform, in this order. */
export type BudgetClass = 'action' | 'readBack' | 'hinted' | 'poll';

/** One token bucket for everything that we ask of the platform; its rate is found by AIMD. */
export interface RequestBudget {
  /** Resolves when a request may go; rejects when `signal` aborts. */
  take(claim: BudgetClass, signal?: AbortSignal): Promise<void>;
  /** Feedback after each request: `limited` is a parsed 504 `rate-limited` or 503 `capacity`. */
  report(result: 'ok' | 'limited'): void;
  /** Requests per second at the moment. */
  readonly rate: number;
}

export interface Ban {
  readonly bot: string;
  readonly member: MemberKey;
  readonly screenName: string;
  readonly reason: string;
  /** Ms since 1970. */
  readonly until: number;
  readonly action: ActionId;
}

/** `data/operator.json`: small, readable, written atomically; reads are synchronous and never stale. */
export interface OperatorState {
  bans(): readonly Ban[];
  /** Durable when it resolves; the same action twice is one ban. */
  ban(ban: Ban): Promise<void>;
  timestampUnit(): 's' | 'ms' | undefined;
  lockTimestampUnit(unit: 's' | 'ms'): Promise<void>;
  callback(): string | undefined;
  rememberCallback(endpoint: string): Promise<void>;
}

/** Health of one source or part, for `/readyz`: why it is not ready, or undefined. */
export interface Readiness {
  readonly name: string;
  reason(): string | undefined;
}

/** A rule as it stands now: a changed one is another. */
export interface RuleStamp {
  readonly bot: string;
  readonly rule: string;
  readonly fingerprint: string;
}

/**
 * Is told what the engine is at, so that somebody beside the event loop can name what blocks it. Called around each
 * call of an author's code: it must cost next to nothing and never throw.
 */
export interface Whereabouts {
  /** The number by which `running` tells of this rule; above 0. */
  number(rule: RuleStamp): number;
  /** The event whose turn it is, by its place in the journal. */
  handling(seq: number): void;
  /** The rule whose code runs from now on; 0 when it is none's. */
  running(rule: number): void;
}

/** What an earlier life of the daemon died of: it does not come a third time. */
export interface PastDeaths {
  /** By event: rules that do not get it, as `ruleIdentity` writes them. */
  readonly setAside: ReadonlyMap<EventId, ReadonlySet<string>>;
  /** Rules that get nothing until they are changed. */
  readonly resting: ReadonlySet<string>;
}

/** Counters that parts keep and the daemon exposes; names are the daemon's business. */
export type Count = (name: string, labels?: Readonly<Record<string, string>>, times?: number) => void;
