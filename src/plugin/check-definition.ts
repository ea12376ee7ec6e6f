import { ACTION_TYPES, type ActionType } from '../domain/action.ts';
import { EVENT_TYPES } from '../domain/event.ts';
import { DefinitionError } from './definition-error.ts';

/** Names stand in bot files and in part names of a lane's state, so they are plain. */
const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** Refuses a name that a bot file could not write. */
export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new DefinitionError(
      typeof name === 'string' ? name : '',
      'its name must be 1 to 64 lower-case letters, digits and dashes, beginning with a letter, as bot files write it.',
    );
  }
}

/** Refuses unknown or repeated words in `hears` and `mayDo`; plain JavaScript gets here without the compiler. */
export function checkWords(
  name: string,
  field: 'hears' | 'mayDo',
  words: readonly string[],
  options: { readonly mayBeEmpty: boolean },
): void {
  const known: readonly string[] = field === 'hears' ? EVENT_TYPES : ACTION_TYPES;
  if (!Array.isArray(words) || (words.length === 0 && !options.mayBeEmpty)) {
    throw new DefinitionError(name, `\`${field}\` must name at least one of ${known.join(', ')}.`);
  }
  for (const word of words) {
    if (!known.includes(word)) {
      throw new DefinitionError(name, `\`${field}\` names "${word}"; there are only ${known.join(', ')}.`);
    }
  }
  if (new Set(words).size !== words.length) {
    throw new DefinitionError(name, `\`${field}\` names something twice.`);
  }
}

/** Refuses options that are not a zod type: they are what a bot file's `with` is checked against. */
export function checkOptions(name: string, options: unknown): void {
  if (typeof options !== 'object' || options === null || !('safeParse' in options)) {
    throw new DefinitionError(
      name,
      '`options` must be a zod type, z.strictObject({…}) in most cases; z.strictObject({}) when there are none.',
    );
  }
}

/** What a rule that did something undeclared is told. */
export const undeclared = (name: string, type: ActionType, mayDo: Iterable<ActionType>): string =>
  `${name} did "${type}" but \`mayDo\` lists only ${[...mayDo].join(', ') || 'nothing'}: add it there, and grant it in the bot file.`;
