/** What an event changed, beyond the records themselves. */
export interface Folded {
  /** Members, streams, facts or resources are not what they were: keepers are to look. */
  readonly changed: boolean;
  /** Streams that are newly live, or newly known to be somebody's: watches and bans are to look. */
  readonly touched: readonly string[];
}

export const UNCHANGED: Folded = { changed: false, touched: [] };
