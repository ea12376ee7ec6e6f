import type { ActionDraft } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import { startRule, type RuleRuntime } from '../plugin/rule-runtime.ts';
import type { EdgeRule } from './edge-rule.ts';

interface Running {
  edge: EdgeRule;
  readonly runtime: RuleRuntime;
  /** What the rule's `room()` gives. */
  readonly seen: { room: PlaceView };
}

/** The stream rules of one lane: one instance of each, alive from its first event until the rule changes. */
export class StreamRules {
  readonly #running = new Map<string, Running>();
  readonly #end: (edge: EdgeRule, runtime: RuleRuntime) => void;

  /** `end` disposes of an instance and never throws. */
  constructor(end: (edge: EdgeRule, runtime: RuleRuntime) => void) {
    this.#end = end;
  }

  running(): readonly EdgeRule[] {
    return [...this.#running.values()].map(({ edge }) => edge);
  }

  has(edge: EdgeRule): boolean {
    return this.#running.has(identity(edge));
  }

  push(edge: EdgeRule, event: UsherEvent, room: PlaceView): readonly ActionDraft[] {
    const running = this.#running.get(identity(edge)) ?? this.#start(edge, room);
    if (running.runtime.ended) {
      throw new Error(
        'The rule’s stream had come to its end, and would do nothing more here: it is started anew. Keep it open, as `filter` does and `take` does not.',
      );
    }
    running.seen.room = room;
    return checked(running.runtime, running.runtime.push(event));
  }

  tick(edge: EdgeRule, now: number): readonly ActionDraft[] {
    const runtime = this.#running.get(identity(edge))?.runtime;
    return runtime ? checked(runtime, runtime.tick(now)) : [];
  }

  /** Forgets an instance: after a throw it may be half of what it was. */
  drop(edge: EdgeRule): void {
    const id = identity(edge);
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    this.#end(running.edge, running.runtime);
  }

  /** Keeps the instances of these rules and drops all others; a rule with an equal fingerprint is the same rule. */
  retain(edges: readonly EdgeRule[]): void {
    const byId = new Map(edges.map((edge) => [identity(edge), edge]));
    for (const [id, running] of this.#running) {
      const edge = byId.get(id);
      if (edge) {
        running.edge = edge;
        continue;
      }
      this.#running.delete(id);
      this.#end(running.edge, running.runtime);
    }
  }

  /** The earliest time at which one of them wants to be woken, ms since 1970. */
  nextDue(): number | null {
    let next: number | null = null;
    for (const { runtime } of this.#running.values()) {
      const due = runtime.nextDue();
      if (due !== null && (next === null || due < next)) next = due;
    }
    return next;
  }

  dispose(): void {
    this.retain([]);
  }

  #start(edge: EdgeRule, room: PlaceView): Running {
    const seen = { room };
    const runtime = startRule(edge.definition, edge.bound.options, () => seen.room);
    const running: Running = { edge, runtime, seen };
    this.#running.set(identity(edge), running);
    return running;
  }
}

const identity = ({ namespace, bound }: EdgeRule): string => `${namespace}\n${bound.fingerprint}`;

function checked(runtime: RuleRuntime, drafts: readonly ActionDraft[]): readonly ActionDraft[] {
  if (runtime.outOfTurn > 0) {
    throw new Error(
      'The rule acted when it had no event: a promise, a timer of its own or an asynchronous operator. Use `clock.schedule`.',
    );
  }
  return drafts;
}
