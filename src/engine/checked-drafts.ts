import type { z } from 'zod';
import type { ActionDraft } from '../domain/action.ts';
import type { DesiredResource } from '../plugin/definitions.ts';
import { draftSchema, resourceSchema } from './draft-schema.ts';

const MOST_FINDINGS = 3;

/**
 * Takes the actions that a rule returned out of its hands: plain data, every getter read, so that nothing of the rule's
 * runs or throws later, in a neighbour's place. The first `most` of them; throws `TypeError` with what is wrong.
 */
export const checkedDrafts = (drafts: readonly ActionDraft[], most: number): readonly ActionDraft[] =>
  // A list of our own: `slice` and `map` of an author's kind of array would give another of that kind.
  Array.from({ length: Math.min(drafts.length, most) }, (_, index) =>
    checked(draftSchema, drafts[index], 'An action of the rule'),
  );

/** As `checkedDrafts`, for what a keeper wants. */
export function checkedResources(resources: readonly DesiredResource[]): readonly DesiredResource[] {
  if (!Array.isArray(resources)) {
    silence(resources);
    throw new TypeError('A keeper returns an array of what it wants, at once: a promise is too late.');
  }
  return resources.map((resource) => checked(resourceSchema, resource, 'A resource of the keeper'));
}

/** A promise that is rejected and that nobody looks at would end the process. */
export function silence(given: unknown): void {
  if (given instanceof Promise) given.catch(() => undefined);
}

function checked<T>(schema: z.ZodType<T>, given: unknown, what: string): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const findings = result.error.issues
    .slice(0, MOST_FINDINGS)
    .map(({ path, message }) => `${path.length === 0 ? 'it' : path.join('.')}: ${message}`);
  throw new TypeError(
    `${what} is not what it should be (${findings.join('; ')}). Make it with the functions of usher/plugin.`,
  );
}
