import type { PublishersChanged, UsherEvent } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { ActionDraft } from '../domain/action.ts';
import { Allowance, mostAnEvent } from './allowance.ts';
import { checkedDrafts, checkedResources, silence } from './checked-drafts.ts';
import { Decision } from './decision.ts';
import { DOOMED_MS, isDoomed } from './doom.ts';
import type { EdgeRule } from './edge-rule.ts';
import { eventSubject } from './event-subject.ts';
import { fold } from './fold.ts';
import { keep, stopOf } from './keep.ts';
import type { LaneRules } from './lane-rules.ts';
import type { LaneState } from './lane-state.ts';
import { viewOfStreams } from './lane-view.ts';
import { Moment } from './moment.ts';
import { NO_EVENT } from './no-event.ts';
import { perceive } from './perceive.ts';
import type { ActionRecord } from './ports.ts';
import { reaches } from './reaches.ts';
import { resourcePart } from './resource-part.ts';
import { standingOrders } from './standing-orders.ts';
import type { StreamRules } from './stream-rules.ts';
import type { TurnServices } from './turn-services.ts';
import { Wall } from './wall.ts';

/** What a lane keeps between turns beside its state. */
export interface TurnLane {
  readonly streams: StreamRules;
  /** When a keeper wants to look again, ms since 1970; kept between turns. */
  keeperDue: number | null;
}

const NOTHING: readonly ActionRecord[] = [];

/**
 * The turns of one lane, one event each, from front to back: perceive, fold, standing orders, rules, keepers, decision.
 * Synchronous and deterministic; what a turn changed is in the lane's state, what it decided is its result.
 */
export class Turns {
  readonly #lane: TurnLane;
  readonly #state: LaneState;
  readonly #services: TurnServices;
  readonly #rulesNow: () => LaneRules;
  readonly #wall: Wall;
  #rules: LaneRules;
  #event = NO_EVENT;
  #decision: Decision | undefined;
  /** Bots whose later rules are stopped, by mode: a shadow rule stops shadow rules only. */
  #stopped: Set<string> | undefined;

  /** `rulesNow` gives the rules for what is known of the place at that moment. */
  constructor(lane: TurnLane, state: LaneState, rulesNow: () => LaneRules, services: TurnServices) {
    this.#lane = lane;
    this.#state = state;
    this.#rulesNow = rulesNow;
    this.#rules = rulesNow();
    this.#services = services;
    this.#wall = new Wall(services);
  }

  take(raw: UsherEvent): readonly ActionRecord[] {
    const state = this.#state;
    state.time = Math.max(state.time, raw.seenAt);
    state.now = raw.at;
    const publishing = state.ref ? state.publishers.length : 0;
    const event = perceive(state, raw);
    const { changed, touched } = fold(state, event);
    this.#event = event;
    this.#decision = undefined;
    this.#stopped = undefined;
    this.#wall.begin(event);
    // After the fold: the event that tells the alias of a room is for the rules of that alias.
    this.#rules = this.#rulesNow();
    const orders = standingOrders(state, this.#rules.rules.bots, this.#services.bans, event, touched);
    for (const { draft, ...origin } of orders) this.#decide().propose({ ...origin, standing: true }, draft);
    this.#evaluate(event);
    if (changed && state.ref && state.publishers.length !== publishing) {
      this.#evaluate(publishersChanged(event, publishing, state.publishers.length, state.ref));
    }
    if (event.type === 'clock.ticked') {
      for (const edge of this.#lane.streams.running()) this.#run(edge, event, true);
    }
    if (changed || event.type === 'clock.ticked') this.#keep();
    state.sweep();
    return this.#decision === undefined ? NOTHING : this.#decide().settle();
  }

  #decide(): Decision {
    const event = this.#event;
    this.#decision ??= new Decision({
      state: this.#state,
      event,
      catchUpMs: this.#services.catchUpMs,
      quietBefore: this.#services.quietBefore,
      view: (bot, mode) => this.#rules.view(bot, mode),
      failed: ({ bot, rule }, error) => this.#services.failed({ bot: bot.name, rule }, event, error, false),
    });
    return this.#decision;
  }

  #evaluate(event: UsherEvent): void {
    for (const edge of this.#rules.rules.hearing(event.type)) {
      if (this.#stopped && this.#isStopped(edge, this.#stopped)) continue;
      this.#run(edge, event, false);
    }
  }

  #isStopped({ bot, bound }: EdgeRule, stopped: ReadonlySet<string>): boolean {
    return stopped.has(`enforce/${bot.name}`) || stopped.has(`${bound.mode}/${bot.name}`);
  }

  #ask(edge: EdgeRule, event: UsherEvent): readonly ActionDraft[] {
    const { bot, bound, definition } = edge;
    const room = this.#rules.view(bot, bound.mode);
    if (!reaches(edge, event, room)) return [];
    if (!definition.decide) return this.#lane.streams.push(edge, event, room);
    return definition.decide(event, new Moment(bound.options, room, this.#state, edge.namespace));
  }

  /** Asks a rule, inside its wall. */
  #run(edge: EdgeRule, event: UsherEvent, tick: boolean): void {
    const { supervisor, whereabouts } = this.#services;
    const { bot, bound } = edge;
    if (!this.#wall.lets(edge)) return;
    let drafts: readonly ActionDraft[];
    let wanted: number;
    try {
      whereabouts.running(edge.number);
      drafts = tick ? this.#lane.streams.tick(edge, event.at) : this.#ask(edge, event);
      if (!Array.isArray(drafts)) {
        silence(drafts);
        throw new TypeError(
          'A rule returns an array of actions, at once: a promise is too late, its events have passed.',
        );
      }
      wanted = drafts.length;
      if (wanted > 0) drafts = checkedDrafts(drafts, mostAnEvent(bound.budget) + 1);
      supervisor.worked(bound);
    } catch (error) {
      this.#lane.streams.drop(edge);
      this.#wall.failed(edge, error);
      return;
    } finally {
      whereabouts.running(0);
    }
    if (wanted === 0 || this.#coolingDown(edge)) return;
    const origin = { bot, rule: bound.id, mode: bound.mode, mayDo: bound.mayDo };
    const allowance = new Allowance(this.#state, edge.namespace, bound.budget);
    const granted = allowance.take(wanted);
    for (const draft of drafts.slice(0, granted)) this.#decide().propose(origin, draft);
    const first = drafts[granted];
    // One record stands for all of them: thousands would be the flood in another place.
    if (first) this.#decide().propose({ ...origin, refusal: allowance.reason }, first);
    this.#wall.spent(edge, allowance);
    if (bound.stop) (this.#stopped ??= new Set()).add(`${bound.mode}/${bot.name}`);
  }

  /** True while the rule's cooldown runs; begins it when it does not. */
  #coolingDown({ bound, namespace }: EdgeRule): boolean {
    const { cooldown } = bound;
    if (!cooldown) return false;
    const state = this.#state;
    const until = state.now + cooldown.forMs;
    const part = `${namespace}/${cooldown.per === 'member' ? (eventSubject(this.#event) ?? '') : cooldown.per}`;
    const ends =
      cooldown.per === 'rule'
        ? this.#services.cooldowns.until(namespace)
        : (state.cooldowns.get(part)?.until ?? 0);
    if (ends > state.now) return true;
    state.cooldowns.set(part, { until });
    if (cooldown.per === 'rule') this.#services.cooldowns.begin(namespace, until);
    return false;
  }

  #keep(): void {
    const [state, rules, { whereabouts }] = [this.#state, this.#rules, this.#services];
    const place = state.ref;
    if (!place) return;
    const ending = this.#ending();
    // A stream that does not end after all is kept for again.
    let due = ending.size === 0 ? Infinity : state.time + DOOMED_MS;
    for (const keeper of rules.rules.keepers) {
      const { bot, bound, definition } = keeper;
      if (!this.#wall.lets(keeper)) continue;
      const view = rules.view(bot, bound.mode);
      const carries = bound.scope.tags;
      const allowance = new Allowance(state, keeper.namespace, bound.budget);
      try {
        whereabouts.running(keeper.number);
        const room =
          carries || ending.size > 0
            ? viewOfStreams(view, ({ streamId, tags }) => !ending.has(streamId) && (carries?.(tags) ?? true))
            : view;
        const desired = checkedResources(definition.desired(room, bound.options));
        const origin = { bot, rule: bound.id, mode: bound.mode, standing: true };
        const next = keep(state, place, keeper, desired, (draft) => {
          if (!bound.mayDo.has(draft.type)) return undefined;
          if (allowance.take(1) === 1) return this.#decide().propose(origin, draft).id;
          if (allowance.refused === 1)
            this.#decide().propose({ ...origin, refusal: allowance.reason }, draft);
          return undefined;
        });
        this.#services.supervisor.worked(bound);
        due = Math.min(due, next ?? Infinity);
      } catch (error) {
        this.#wall.failed(keeper, error);
      } finally {
        whereabouts.running(0);
        this.#wall.spent(keeper, allowance);
      }
    }
    this.#stopOrphans();
    this.#lane.keeperDue = due === Infinity ? null : due;
  }

  /** Streams that are live and that an action of ours is about to end: nothing is made for them any more. */
  #ending(): ReadonlySet<string> {
    const state = this.#state;
    const ending = new Set(this.#decision?.ending());
    for (const streamId of state.doomed.keys()) if (isDoomed(state, streamId)) ending.add(streamId);
    for (const streamId of ending) if (!state.streams.has(streamId)) ending.delete(streamId);
    return ending;
  }

  /** Ends what a keeper owned that is there no more. */
  #stopOrphans(): void {
    const [state, rules] = [this.#state, this.#rules];
    if (state.resources.size === 0 || !state.ref) return;
    const kept = new Set(
      rules.rules.keepers.map(({ bot, bound }) =>
        resourcePart({ bot: bot.name, rule: bound.id, key: '', shadow: bound.mode === 'shadow' }),
      ),
    );
    for (const [part, owned] of state.resources) {
      if (owned.phase !== 'running' || owned.pending !== undefined) continue;
      if (kept.has(resourcePart({ ...owned, key: '' }))) continue;
      if (owned.shadow) {
        state.resources.delete(part);
        continue;
      }
      const bot = rules.book.bots.find(({ name }) => name === owned.bot) ?? {
        name: owned.bot,
        as: { screenName: owned.bot, role: 'Participant' },
        ladders: new Map(),
      };
      const { id } = this.#decide().propose(
        { bot, rule: owned.rule, mode: 'enforce', standing: true },
        stopOf(state.ref, owned, 'its rule is gone'),
      );
      state.resources.set(part, { ...owned, phase: 'stopping', pending: id });
    }
  }
}

function publishersChanged(
  cause: UsherEvent,
  from: number,
  to: number,
  place: NonNullable<UsherEvent['place']>,
): PublishersChanged {
  const { at, seenAt, source } = cause;
  return withId<PublishersChanged>({
    type: 'publishers.changed',
    at,
    seenAt,
    source,
    place,
    from,
    to,
    cause: cause.id,
  });
}
