import type { ZodType } from 'zod';
import type { EventOf, EventType } from '../domain/event.ts';
import { checkName, checkOptions } from './check-definition.ts';
import { DefinitionError } from './definition-error.ts';
import type { ConditionDefinition, DecideContext } from './definitions.ts';

/**
 * A word for `if` in bot files. Pure like a rule; it gets any event that its rule hears.
 *
 * ```ts
 * export default defineCondition({
 *   name: 'shouts',
 *   options: z.strictObject({ letters: z.int().default(20) }),
 *   test: (event, { options }) =>
 *     event.type === 'message.posted' && event.text.length > options.letters && event.text === event.text.toUpperCase(),
 * });
 * ```
 */
export function defineCondition<O>(condition: {
  readonly name: string;
  readonly options: ZodType<O>;
  readonly test: (
    event: EventOf<EventType>,
    context: DecideContext<NoInfer<O>>,
  ) => boolean | { readonly match: string };
}): ConditionDefinition<O> {
  checkName(condition.name);
  checkOptions(condition.name, condition.options);
  if (typeof condition.test !== 'function') throw new DefinitionError(condition.name, 'give a `test`.');
  return Object.freeze({ kind: 'condition', ...condition });
}
