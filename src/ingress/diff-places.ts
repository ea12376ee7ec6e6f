import type { PlaceFacts } from '../domain/place.ts';

/** Places of one list (one room type, or the channels) and what is known of them. */
export interface PlaceComparison<P extends PlaceFacts> {
  readonly known: readonly P[];
  /** Complete, or nothing may be concluded from it. */
  readonly listed: readonly PlaceFacts[];
  readonly requestedAt: number;
  /** When this daemon learnt of the place: a list that was asked for earlier cannot deny it. */
  readonly learntAt: (place: P) => number;
  /** Missing from the list before, or answered by 404 since. */
  readonly doubted: (place: P) => boolean;
}

export interface PlaceDifference<P extends PlaceFacts> {
  readonly opened: readonly PlaceFacts[];
  readonly closed: readonly P[];
  /** Not in the list, and not closed yet: a second sign is wanted. */
  readonly missing: readonly P[];
}

/**
 * What opened and closed by the word of a list. Closing takes two signs, because a place opens and closes once only:
 * what a slip of the list closed would stay closed.
 */
export function diffPlaces<P extends PlaceFacts>(comparison: PlaceComparison<P>): PlaceDifference<P> {
  const { known, listed, requestedAt, learntAt, doubted } = comparison;
  const ids = new Set(known.map(({ id }) => id));
  const present = new Map(listed.map((place) => [place.id, place]));
  const absent = known.filter((place) => !present.has(place.id) && learntAt(place) < requestedAt);
  return {
    opened: [...present.values()].filter(({ id }) => !ids.has(id)),
    closed: absent.filter(doubted),
    missing: absent.filter((place) => !doubted(place)),
  };
}
