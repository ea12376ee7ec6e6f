import type { ActionSettled, UsherEvent } from '../domain/event.ts';

/**
 * One line of the feed. Outcomes are told apart from other events, since some come with the decision and never are
 * events of the journal; `dropped` stands where a client was too slow for what came.
 */
export type FeedItem =
  | { readonly kind: 'event'; readonly event: UsherEvent }
  | { readonly kind: 'outcome'; readonly event: ActionSettled }
  | { readonly kind: 'dropped'; readonly dropped: number };

/** JSON without the tokens that stand in addresses. */
export const hideTokens = (json: string): string =>
  json.replaceAll(/([?&]\w*token=)[^"&#\s\\]*/gi, '$1[redacted]');

/** As it goes over the wire: one JSON text, tokens in addresses blotted out. */
export const feedLine = (item: FeedItem): string => hideTokens(JSON.stringify(item));
