import type { ActionDraft } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import { describeError } from '../errors.ts';
import type { RuleDefinition } from '../plugin/definitions.ts';
import { startRule } from '../plugin/rule-runtime.ts';
import { RuleTestError } from './assertion-error.ts';
import { BEGIN } from './cast.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Step } from './script.ts';
import { testMemory } from './test-memory.ts';

/** What a rule did over the steps of a case. */
export interface Played {
  readonly drafts: readonly ActionDraft[];
  /** Ids of the events that the rule was shown. */
  readonly heard: ReadonlySet<string>;
}

/** Between two steps of a case. */
const STEP_MS = 1_000;

/** Plays the steps to a new instance of the rule, as the engine would in a room of its own. */
export function play(
  rule: RuleDefinition,
  options: unknown,
  room: PlaceView,
  steps: readonly Step[],
): Played {
  let now = BEGIN;
  const drafts: ActionDraft[] = [];
  const heard = new Set<string>();
  const remember = testMemory(() => now);
  const runtime = rule.rule ? startRule(rule, options, () => room) : undefined;
  const place = { kind: room.kind, id: room.id };

  const show = (event: UsherEvent): readonly ActionDraft[] => {
    if (!rule.hears.includes(event.type)) return [];
    heard.add(event.id);
    deepFreeze(event);
    return runtime ? runtime.push(event) : (rule.decide?.(event, { options, room, remember, now }) ?? []);
  };

  steps.forEach((step, index) => {
    if ('waitMs' in step) {
      now += step.waitMs;
      if (runtime) drafts.push(...runtime.tick(now));
      return;
    }
    const event = typeof step === 'function' ? step({ place, room, at: now, step: index + 1 }) : step;
    now = event.at;
    const some = show(event);
    if (!Array.isArray(some)) {
      throw new RuleTestError(
        `${rule.name} returned no array: a rule answers at once, with a list of actions.`,
      );
    }
    drafts.push(...some);
    now += STEP_MS;
  });
  if (runtime) {
    if (runtime.outOfTurn > 0) {
      throw new RuleTestError(`${rule.name} acted when it had no event; use \`clock.schedule\` to wait.`);
    }
    const thrown = runtime.dispose();
    if (thrown) {
      throw new RuleTestError(
        `${rule.name} threw while its stream was ended (${describeError(thrown.error)}): look at its \`finalize\` and teardowns.`,
      );
    }
    if (runtime.subscriptions > 0) {
      throw new RuleTestError(
        `${rule.name} left a subscription on event$ open: pipe and return the stream, and let the engine subscribe.`,
      );
    }
  }
  return { drafts, heard };
}
