import type { ClockTicked, UsherEvent } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import { placeKey, placeOfKey } from '../domain/place.ts';
import { describeError } from '../errors.ts';
import type { Bot } from '../plugin/bot.ts';
import { BanIndex } from './ban-index.ts';
import { createBus } from './bus.ts';
import { LaneDirectory } from './directory.ts';
import type { Engine, EngineOptions, EngineStats } from './engine.ts';
import { IdentityIndex } from './identity-index.ts';
import { restingEvents } from './failure-events.ts';
import { EngineIntake } from './intake.ts';
import type { Lane } from './lane.ts';
import { largestMemories, type RememberedBy } from './largest-memories.ts';
import { LaneRunner } from './lane-runner.ts';
import { outcomeOf } from './outcome-of.ts';
import type { ActionRecord, Journaled, PastDeaths, PlaceDirectory, Whereabouts } from './ports.ts';
import { ruleBook } from './rule-book.ts';
import { RuleCooldowns } from './rule-cooldowns.ts';
import { Schedules } from './schedules.ts';
import { Supervisor } from './supervisor.ts';
import { Wakes } from './wakes.ts';

const UNWATCHED: Whereabouts = { number: () => 0, handling: () => undefined, running: () => undefined };
const NO_DEATHS: PastDeaths = { setAside: new Map(), resting: new Set() };

const CATCH_UP_MS = 300_000;
const INBOX = { events: 50_000, bytes: 64 * 1024 * 1024 };
const LOADS_AT_ONCE = 64;
const UNDONE_PAGE = 10_000;
const EVICT_EVERY_MS = 300_000;
const RETRY_MS = 1_000;

/** Puts the engine together. It does nothing until `start`. */
export const createEngine = (options: EngineOptions): Engine => new LaneEngine(options);

class LaneEngine implements Engine {
  readonly bus: ReturnType<typeof createBus>;
  readonly directory: PlaceDirectory;
  readonly #options: EngineOptions & Required<Pick<EngineOptions, 'count' | 'whereabouts' | 'deaths'>>;
  readonly #stopping = new AbortController();
  readonly #index = new IdentityIndex();
  readonly #supervisor: Supervisor;
  readonly #intake: EngineIntake;
  readonly #runner: LaneRunner;
  readonly #wakes: Wakes;
  readonly #schedules: Schedules;
  readonly #whenDrained = new Set<() => void>();
  readonly #ready: Promise<void>;
  #open: () => void = () => undefined;
  /** Rows that came before `start` was through; null from then on. */
  #early: Journaled[] | null = [];
  #cancelEviction: (() => void) | undefined;
  #relearnDue = false;

  constructor(given: EngineOptions) {
    const options = {
      ...given,
      count: given.count ?? (() => undefined),
      whereabouts: given.whereabouts ?? UNWATCHED,
      deaths: given.deaths ?? NO_DEATHS,
    };
    const { journal, lanes, clock, log, count } = options;
    this.#options = options;
    this.#ready = new Promise<void>((resolve) => {
      this.#open = resolve;
    });
    this.bus = createBus(log);
    const { whereabouts, deaths } = options;
    this.#supervisor = new Supervisor(() => clock.now(), deaths.resting);
    this.#runner = new LaneRunner(
      {
        journal,
        lanes,
        clock,
        log,
        count,
        services: {
          supervisor: this.#supervisor,
          bans: new BanIndex(options.bans ?? (() => [])),
          cooldowns: new RuleCooldowns(),
          catchUpMs: options.catchUpMs ?? CATCH_UP_MS,
          quietBefore: options.quietBefore ?? 0,
          whereabouts,
          setAside: deaths.setAside,
        },
        stopped: this.#stopping.signal,
        committed: (lane, handled, fresh) => this.#committed(lane, handled, fresh),
        report: (events) => void this.#admit(events),
        loaded: (state) => this.#index.learnState(state),
      },
      ruleBook(options.bots, whereabouts),
    );
    this.#supervisor.retain(this.#runner.book.identities);
    this.directory = new LaneDirectory(this.#runner);
    this.#intake = new EngineIntake({
      journal,
      count,
      index: this.#index,
      bus: this.bus,
      deliver: (rows) => this.#runner.deliver(rows),
      limits: { ...INBOX, ...options.inbox },
    });
    this.#wakes = new Wakes(clock, (due) => this.#tick(due));
    this.#schedules = new Schedules({
      clock,
      places: () => this.directory.places(),
      firedAt: (place, rule) => this.#runner.lanes.get(placeKey(place))?.state?.fired.get(rule.key)?.dueAt,
      fire: (events) => void this.#admit(events),
    });
  }

  async accept(events: readonly UsherEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    if (this.#early) await this.#ready;
    return this.#intake.accept(events);
  }

  async start(): Promise<void> {
    const listed = await this.#options.lanes.list();
    for (const { lane, wakeAt } of listed) {
      this.#runner.knows(lane);
      this.#wakes.set(lane, wakeAt);
    }
    // Polls compare with every open place, so all places are in memory; other lanes come when they are needed.
    const places = listed.filter(({ lane }) => placeOfKey(lane) !== undefined);
    for (let from = 0; from < places.length; from += LOADS_AT_ONCE) {
      const some = places.slice(from, from + LOADS_AT_ONCE);
      await Promise.all(some.map(({ lane }) => this.#runner.load(this.#runner.lane(lane))));
    }
    const resumed = await this.#resumeUndone();
    const early = this.#early ?? [];
    this.#early = null;
    this.deliver(early.filter(({ seq }) => !resumed.has(seq)));
    this.#open();
    void this.#admit(
      restingEvents(this.#runner.book.bots, this.#options.deaths.resting, this.#options.clock.now()),
    );
    this.#tickPlaces();
    this.#schedules.start(this.#runner.book);
    this.#evictLater();
  }

  deliver(rows: readonly Journaled[]): void {
    if (this.#early) {
      this.#early.push(...rows);
      return;
    }
    for (const { event } of rows) {
      this.bus.event(event);
      if (event.type === 'action.settled') this.bus.outcome(event);
    }
    this.#intake.resume(rows);
  }

  use(bots: readonly Bot[]): void {
    const book = ruleBook(bots, this.#options.whereabouts);
    this.#supervisor.retain(book.identities);
    this.#runner.use(book);
    if (this.#early) return;
    this.#tickPlaces();
    this.#schedules.start(this.#runner.book);
  }

  async drain(timeoutMs: number): Promise<boolean> {
    if (this.#intake.undone === 0) return true;
    return new Promise<boolean>((resolve) => {
      const done = (): void => {
        cancel();
        this.#whenDrained.delete(done);
        resolve(this.#intake.undone === 0);
      };
      const cancel = this.#options.clock.after(timeoutMs, done);
      this.#whenDrained.add(done);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakes.stop();
    this.#schedules.stop();
    this.#cancelEviction?.();
    await this.#runner.settled();
  }

  get load(): number {
    return this.#intake.load;
  }

  stats(): EngineStats {
    return {
      undone: this.#intake.undone,
      lanes: this.#runner.lanes.size,
      places: this.directory.places().length,
      quarantined: this.#supervisor.quarantined,
    };
  }

  largestMemories(most: number): readonly RememberedBy[] {
    return largestMemories(this.#runner.lanes.values(), most);
  }

  /** Hands what no lane had handled before the last stop to the lanes; gives its positions. */
  async #resumeUndone(): Promise<ReadonlySet<number>> {
    const seqs = new Set<number>();
    for (let after = 0; ;) {
      const rows = await this.#options.journal.undone(UNDONE_PAGE, after);
      for (const { seq } of rows) seqs.add(seq);
      this.#intake.resume(rows);
      if (rows.length < UNDONE_PAGE) return seqs;
      after = rows.at(-1)?.seq ?? after;
    }
  }

  #committed(lane: Lane, handled: readonly Journaled[], fresh: readonly ActionRecord[]): void {
    const { sink, log, count, clock } = this.#options;
    this.#intake.done(handled);
    this.#wakes.set(lane.key, lane.wakeAt);
    const intents: ActionRecord[] = [];
    for (const record of fresh) {
      const { action, mode, settled } = record;
      count('actions.decided', { type: action.type, mode, settled: settled?.outcome ?? 'open' });
      this.bus.decision(record);
      if (!settled) {
        intents.push(record);
        continue;
      }
      this.bus.outcome(outcomeOf(record, settled, clock.now()));
      if (action.type === 'log.write' && settled.outcome === 'performed') {
        log.info(
          { bot: action.bot, rule: action.rule, place: action.place, because: action.because },
          action.text,
        );
      }
    }
    if (intents.length > 0) sink.enqueue(intents);
    if (this.#intake.undone > 0) return;
    this.#relearn();
    for (const done of this.#whenDrained) done();
  }

  /** Journals what the engine found out itself; what the store refuses is told, and ticks come again. Never rejects. */
  async #admit(events: readonly UsherEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { log, clock } = this.#options;
    const again = (event: UsherEvent | undefined): void => {
      if (event?.type === 'clock.ticked') this.#wakes.set(event.lane, clock.now() + RETRY_MS);
    };
    try {
      const answers = await this.#intake.admit(events);
      answers.forEach((answer, at) => {
        const event = events[at];
        // A tick that was there before brings no turn: wake the lane again, unless it is about to have one.
        if (
          answer === 'duplicate' &&
          event?.type === 'clock.ticked' &&
          !this.#runner.lanes.get(event.lane)?.busy
        ) {
          again(event);
        }
      });
    } catch (error) {
      log.warn(
        { error: describeError(error), events: events.length },
        'Events of the engine were not journaled.',
      );
      for (const event of events) again(event);
    }
  }

  #tick(due: readonly { readonly lane: LaneKey; readonly due: number }[]): void {
    const seenAt = this.#options.clock.now();
    void this.#admit(
      due.map(({ lane, due: dueAt }) => {
        const place = placeOfKey(lane);
        return withId<ClockTicked>({
          type: 'clock.ticked',
          at: dueAt,
          seenAt,
          dueAt,
          lane,
          source: 'clock',
          ...(place && { place }),
        });
      }),
    );
  }

  /** Lets keepers look at all places: after a start, and when there are other ones. */
  #tickPlaces(): void {
    const { book } = this.#runner;
    const now = this.#options.clock.now();
    const due: { readonly lane: LaneKey; readonly due: number }[] = [];
    for (const { key, state, tickedAt } of this.#runner.lanes.values()) {
      const facts = state?.facts;
      if (!facts) continue;
      const wanted = state.resources.size > 0 || (facts.open && book.in(facts).keepers.length > 0);
      if (wanted) due.push({ lane: key, due: Math.max(now, tickedAt + 1) });
    }
    this.#tick(due);
  }

  /** What is on its way is in no state yet, so it waits for a moment without any. */
  #relearn(): void {
    if (!this.#relearnDue || this.#intake.undone > 0) return;
    this.#relearnDue = false;
    this.#index.relearn([...this.#runner.lanes.values()].flatMap(({ state }) => state ?? []));
  }

  #evictLater(): void {
    const { clock } = this.#options;
    this.#cancelEviction = clock.after(EVICT_EVERY_MS, () => {
      const before = clock.monotonic() - EVICT_EVERY_MS;
      this.#runner.evict(
        (lane) => lane.usedAt < before && lane.state?.facts?.open !== true && lane.wakeAt === null,
      );
      this.#relearnDue = true;
      this.#relearn();
      this.#evictLater();
    });
  }
}
