import type { UsherEvent } from '../domain/event.ts';
import type { ActionId } from '../domain/ids.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import { describeError } from '../errors.ts';
import { commitForever } from './commit-forever.ts';
import { endStream } from './end-stream.ts';
import { failureEvents } from './failure-events.ts';
import { Lane } from './lane.ts';
import { LaneRules } from './lane-rules.ts';
import { LaneState } from './lane-state.ts';
import type { ActionRecord, Clock, Count, Journal, Journaled, Lanes, Log } from './ports.ts';
import type { RuleBook } from './rule-book.ts';
import { Turns } from './turn.ts';
import type { TurnServices } from './turn-services.ts';
import { coldRules, warmUp } from './warm-up.ts';

/** Events of one lane that share a commit, at most. */
const BATCH = 64;
/** Events handled, or time spent on them, before the event loop gets its turn again. */
const SLICE = 1_024;
const SLICE_MS = 20;
/** A lane whose rules take longer than this lets the others go first. */
const TURN_MS = 5;
const RETRY_MS = 1_000;
const NO_ACTIONS: readonly ActionRecord[] = [];

/** What the runner needs of its engine. */
export interface RunnerPorts {
  readonly journal: Journal;
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
  readonly services: Omit<TurnServices, 'failed' | 'overBudget'>;
  readonly stopped: AbortSignal;
  /** After each commit: events of the lane that are done, actions that were new, and when to wake it. */
  readonly committed: (lane: Lane, handled: readonly Journaled[], fresh: readonly ActionRecord[]) => void;
  /** Events that the lanes themselves found out, to be journaled. */
  readonly report: (events: readonly UsherEvent[]) => void;
  /** A lane's state is in memory now. */
  loaded(state: LaneState): void;
}

/**
 * Runs the lanes: within a lane one event after the other and one commit after the other, side by side across lanes.
 * What is in memory is handled synchronously; a lane that waits for the store holds up nobody else.
 */
export class LaneRunner {
  readonly #ports: RunnerPorts;
  readonly #lanes = new Map<LaneKey, Lane>();
  /** Lanes that the store has and memory has not. */
  readonly #stored = new Set<LaneKey>();
  #ready: Lane[] = [];
  #pumping = false;
  /** Events handled since the event loop had its turn. */
  #slice = 0;
  /** Time spent on them. */
  #spentMs = 0;
  readonly #services: TurnServices;
  #failures: UsherEvent[] = [];
  #inFlight = 0;
  #whenSettled: (() => void) | undefined;
  #book: RuleBook;

  constructor(ports: RunnerPorts, book: RuleBook) {
    this.#ports = ports;
    this.#book = book;
    this.#services = {
      ...ports.services,
      overBudget: (rule, place, { refused, reason }, tell) => {
        ports.count('actions.over_budget', rule, refused);
        if (tell) ports.log.warn({ ...rule, place, refused }, `A rule wants to do too much. ${reason}`);
      },
      failed: (rule, event, error, quarantined) => {
        ports.count('rule.failures', rule);
        this.#failures.push(...failureEvents(rule, event, error, quarantined, ports.clock.now()));
      },
    };
  }

  get lanes(): ReadonlyMap<LaneKey, Lane> {
    return this.#lanes;
  }

  get book(): RuleBook {
    return this.#book;
  }

  /** Other rules from the next event on. */
  use(book: RuleBook): void {
    this.#book = book;
  }

  /** A lane that the store has: it is loaded when it is first needed. */
  knows(lane: LaneKey): void {
    this.#stored.add(lane);
  }

  /** Hands events to their lanes, in order of the journal. */
  deliver(rows: readonly Journaled[]): void {
    for (const row of rows) {
      const lane = this.lane(row.lane);
      lane.add(row);
      this.#schedule(lane);
    }
    this.#pump();
  }

  lane(key: LaneKey): Lane {
    let lane = this.#lanes.get(key);
    if (!lane) {
      const { log, count, services } = this.#ports;
      lane = new Lane(key, (edge, runtime) =>
        endStream(key, edge, runtime, { log, count, whereabouts: services.whereabouts }),
      );
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** The lane's state, from memory or the store. */
  async load(lane: Lane): Promise<LaneState> {
    if (lane.state) return lane.state;
    const document = await this.#ports.lanes.load(lane.key);
    // Another caller may have been faster.
    if (lane.state) return lane.state;
    this.#stored.delete(lane.key);
    lane.hasHistory = document !== undefined;
    lane.keeperDue = document?.wakeAt ?? null;
    return this.#settle(lane, new LaneState(lane.key, document?.parts));
  }

  /** Takes lanes that nothing needs out of memory; their documents stay in the store. */
  evict(evictable: (lane: Lane) => boolean): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.busy || lane.waiting > 0 || !evictable(lane)) continue;
      lane.streams.dispose();
      this.#lanes.delete(key);
      this.#stored.add(key);
    }
  }

  /** Resolves when no commit is on its way. */
  async settled(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenSettled = resolve;
    });
  }

  #settle(lane: Lane, state: LaneState): LaneState {
    lane.state = state;
    for (const [name, { until }] of state.cooldowns) {
      if (name.endsWith('/rule')) this.#ports.services.cooldowns.begin(name.slice(0, -'/rule'.length), until);
    }
    this.#ports.loaded(state);
    return state;
  }

  #schedule(lane: Lane): void {
    if (lane.busy) return;
    lane.busy = true;
    this.#ready.push(lane);
  }

  #pump(): void {
    if (this.#pumping || this.#ports.stopped.aborted) return;
    this.#pumping = true;
    const ready = this.#ready;
    let next = 0;
    try {
      while (next < ready.length && this.#slice < SLICE && this.#spentMs < SLICE_MS) {
        const lane = ready[next];
        next += 1;
        if (lane) this.#slice += this.#tryRun(lane);
      }
    } finally {
      this.#ready = next === ready.length ? [] : ready.slice(next);
      this.#pumping = this.#slice >= SLICE || this.#spentMs >= SLICE_MS;
    }
    if (!this.#pumping) return;
    setImmediate(() => {
      this.#slice = 0;
      this.#spentMs = 0;
      this.#pumping = false;
      this.#pump();
    });
  }

  /** As `#run`; what fails before the lane took an event keeps that lane waiting, and no other. */
  #tryRun(lane: Lane): number {
    const { clock, log, count } = this.#ports;
    try {
      return this.#run(lane);
    } catch (error) {
      log.error(
        { lane: lane.key, error: describeError(error) },
        'A lane could not go on, and is tried again: this is a bug.',
      );
      count('engine.errors');
      clock.after(RETRY_MS, () => {
        this.#ready.push(lane);
        this.#pump();
      });
      return 0;
    }
  }

  /** Handles a batch now if the lane is ready for it, else as soon as it is; gives how many it handled now. */
  #run(lane: Lane): number {
    const { state } = lane;
    if (!state) {
      if (this.#stored.has(lane.key)) {
        this.#later(lane, async () => void (await this.load(lane)));
        return 0;
      }
      this.#settle(lane, new LaneState(lane.key));
      return this.#run(lane);
    }
    if (lane.rules?.book !== this.#book) {
      const rules = this.#rulesOf(lane, state);
      const cold = coldRules(lane, rules);
      if (cold.length > 0) {
        const { journal, log, clock } = this.#ports;
        const { whereabouts, setAside } = this.#services;
        this.#later(lane, () =>
          warmUp(lane, state, rules, cold, { journal, log, now: clock.now(), whereabouts, setAside }),
        );
        return 0;
      }
    }
    return this.#handle(lane, state);
  }

  /** Does something with the store before the lane goes on; what fails is tried again. */
  #later(lane: Lane, work: () => Promise<void>): void {
    const { clock, log, stopped } = this.#ports;
    const trying = async (): Promise<void> => {
      try {
        await work();
      } catch (error) {
        log.warn(
          { lane: lane.key, error: describeError(error) },
          'A lane could not be read; it is tried again.',
        );
        clock.after(RETRY_MS, () => void trying());
        return;
      }
      if (stopped.aborted) return;
      this.#ready.push(lane);
      this.#pump();
    };
    void trying();
  }

  #rulesOf(lane: Lane, state: LaneState): LaneRules {
    if (!lane.rules?.fits(this.#book)) {
      lane.rules = new LaneRules(this.#book, state);
      lane.streams.retain(lane.rules.rules.streaming);
    }
    return lane.rules;
  }

  #handle(lane: Lane, state: LaneState): number {
    const { clock } = this.#ports;
    const taken = lane.take(BATCH);
    const startedAt = clock.monotonic();
    let actions = NO_ACTIONS;
    let handled = 0;
    let spentMs = 0;
    for (const { seq, event } of taken) {
      this.#services.whereabouts.handling(seq);
      const records = this.#turn(lane, state, event);
      if (records.length > 0) actions = actions.concat(records);
      handled += 1;
      spentMs = clock.monotonic() - startedAt;
      if (spentMs >= TURN_MS) break;
    }
    this.#spentMs += spentMs;
    const rows = handled === taken.length ? taken : taken.slice(0, handled);
    if (handled < taken.length) lane.giveBack(taken.slice(handled));
    const failures = this.#failures;
    if (failures.length > 0) this.#failures = [];
    void this.#commit(lane, state, rows, actions, failures);
    return rows.length;
  }

  /** Writes what a batch came to, then lets the lane go on. Never rejects. */
  async #commit(
    lane: Lane,
    state: LaneState,
    rows: readonly Journaled[],
    actions: readonly ActionRecord[],
    failures: readonly UsherEvent[],
  ): Promise<void> {
    const { clock, log, committed, report } = this.#ports;
    const commit = {
      lane: lane.key,
      handled: rows.map(({ seq }) => seq),
      parts: state.takeChanges(),
      wakeAt: lane.wakeAt,
      actions,
    };
    this.#inFlight += 1;
    try {
      const fresh = await commitForever(commit, this.#ports);
      if (!fresh) return;
      lane.hasHistory = true;
      lane.usedAt = clock.monotonic();
      lane.busy = false;
      if (lane.waiting > 0) this.#schedule(lane);
      committed(lane, rows, freshOf(actions, fresh));
      if (failures.length > 0) report(failures);
    } catch (error) {
      const data = { lane: lane.key, error: describeError(error) };
      log.error(data, 'What follows a commit failed: this is a bug.');
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#whenSettled?.();
    }
    this.#pump();
  }

  #turn(lane: Lane, state: LaneState, event: UsherEvent): readonly ActionRecord[] {
    if (event.type === 'clock.ticked') lane.tickedAt = Math.max(lane.tickedAt, event.dueAt);
    try {
      lane.turns ??= new Turns(lane, state, () => this.#rulesOf(lane, state), this.#services);
      return lane.turns.take(event);
    } catch (error) {
      // Ours, not a rule's: the event is given up rather than the place.
      const data = { event: event.id, error: describeError(error) };
      this.#ports.log.error(data, 'The engine threw on an event: this is a bug.');
      this.#ports.count('engine.errors');
      return NO_ACTIONS;
    }
  }
}

function freshOf(actions: readonly ActionRecord[], fresh: readonly ActionId[]): readonly ActionRecord[] {
  if (actions.length === fresh.length) return actions;
  const ids = new Set(fresh);
  return actions.filter(({ action }) => ids.has(action.id));
}
