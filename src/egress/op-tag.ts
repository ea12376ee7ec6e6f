import type { Action } from '../domain/action.ts';
import type { ActionId } from '../domain/ids.ts';

/** The tag by which an action's message or stream is known again when it comes back. */
export const opTag = (id: ActionId): string => `op:${id}`;

/** The bot that made it, for people who look at the platform's data. */
export const botTag = (bot: string): string => `bot:${bot}`;

/** Where our own streams belong: their `started` notification finds its lane by it. */
export const placeTags = (action: Action): readonly string[] =>
  action.place ? [`${action.place.kind}Id:${action.place.id}`] : [];

/** The author's tags first for streams, where all of them fit. */
export const streamTags = (action: Action, own: readonly string[]): string[] => [
  ...new Set([...own, ...placeTags(action), botTag(action.bot), opTag(action.id)]),
];

/** What tags weigh against the platform's limit. */
export const tagBytes = (tags: readonly string[]): number =>
  tags.reduce((sum, tag) => sum + Buffer.byteLength(tag), 0);

/** As many of the tags as fit, in order; those that do not fit are left out. */
export const tagsWithin = (limit: number, tags: readonly string[]): string[] => {
  const kept: string[] = [];
  for (const tag of new Set(tags)) if (tagBytes([...kept, tag]) <= limit) kept.push(tag);
  return kept;
};
