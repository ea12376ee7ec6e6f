import type { Observable } from 'rxjs';
import type { ZodType } from 'zod';
import type { ActionDraft, ActionType } from '../domain/action.ts';
import type { EventOf, EventType } from '../domain/event.ts';
import { checkName, checkOptions, checkWords } from './check-definition.ts';
import { DefinitionError } from './definition-error.ts';
import type { DecideContext, RuleDefinition, StreamContext } from './definitions.ts';

interface RuleHead<E extends EventType, A extends ActionType, O> {
  /** What bot files write after `use`. */
  readonly name: string;
  /** The only events that the rule gets. */
  readonly hears: readonly E[];
  /** The only actions that it may return; the operator grants them by name. */
  readonly mayDo: readonly A[];
  /** What bot files write under `with`. */
  readonly options: ZodType<O>;
}

interface DecidingRule<E extends EventType, A extends ActionType, O> extends RuleHead<E, A, O> {
  readonly decide: (
    event: EventOf<NoInfer<E>>,
    context: DecideContext<NoInfer<O>>,
  ) => readonly ActionDraft<NoInfer<A>>[];
  readonly rule?: never;
  readonly remembers?: never;
}

interface StreamingRule<E extends EventType, A extends ActionType, O> extends RuleHead<E, A, O> {
  /** How far back, in ms, the streams' own memory reaches: so much is replayed, muted, after a restart. */
  readonly remembers?: (options: NoInfer<O>) => number;
  readonly rule: (
    context: StreamContext<NoInfer<E>, NoInfer<O>>,
  ) => Observable<ActionDraft<NoInfer<A>> | readonly ActionDraft<NoInfer<A>>[]>;
  readonly decide?: never;
}

/**
 * A rule: events in, actions out, nothing else (no request, promise, wall clock or randomness). `decide` looks at one
 * event and may `remember` plain data; `rule` sees the events of one place as an Observable. Without `NoInfer` on the
 * results the compiler would widen `mayDo` to whatever they return.
 *
 * ```ts
 * export default defineRule({
 *   name: 'no-shouting',
 *   hears: ['message.posted'],
 *   mayDo: ['message.hide'],
 *   options: z.strictObject({ letters: z.int().default(20) }),
 *   decide: (event, { options }) =>
 *     event.text.length >= options.letters && event.text === event.text.toUpperCase() ? [hideMessage(event)] : [],
 * });
 * ```
 * Throws `DefinitionError` where plain JavaScript got past the types.
 */
export function defineRule<const E extends EventType, const A extends ActionType, O>(
  rule: DecidingRule<E, A, O> | StreamingRule<E, A, O>,
): RuleDefinition<E, A, O> {
  checkName(rule.name);
  checkWords(rule.name, 'hears', rule.hears, { mayBeEmpty: false });
  checkWords(rule.name, 'mayDo', rule.mayDo, { mayBeEmpty: false });
  checkOptions(rule.name, rule.options);
  if ((typeof rule.decide === 'function') === (typeof rule.rule === 'function')) {
    throw new DefinitionError(
      rule.name,
      'give either `decide` (one event at a time) or `rule` (a stream of them).',
    );
  }
  return Object.freeze({ kind: 'rule', ...rule });
}
