import type { PlaceFacts, PlaceRef } from '../domain/place.ts';
import type { StreamSuspicion } from './diff-streams.ts';
import type { SourceHealth } from './source-health.ts';

/** Where reading a room's messages stands. */
export interface MessageCursor {
  /** Last message read; null: the room was empty; undefined: never looked in this process. */
  last: string | null | undefined;
  /** Polls in a row that found nothing after it. */
  emptyPolls: number;
  /** When reading last came to the end of what was said, ms since 1970; undefined before it did in this process. */
  endAt: number | undefined;
  /** The platform tells of older messages only within the range that was asked for. */
  shy: boolean;
}

/** What the poller remembers of an open place; everything else it compares with the projection. */
export interface PolledPlace extends PlaceFacts {
  readonly ref: PlaceRef;
  /** Ms since 1970. */
  readonly learntAt: number;
  readonly cursor: MessageCursor;
  /** A first sign that it is closed: a list without it, or a 404. */
  doubt: 'unlisted' | 'not-found' | undefined;
  /** Its first member poll after a start tells what happened meanwhile. */
  membersSource: 'reconcile' | 'poll';
  suspicions: ReadonlyMap<string, StreamSuspicion>;
  /** Sessions whose joining was journaled before, although the projection does not know them. */
  rejoining: ReadonlySet<string>;
  /** Member polls of one place are made one after the other. Never rejects. */
  membersTurn: Promise<unknown>;
  /** Made with the first failure. */
  health: SourceHealth | undefined;
}

const NONE: ReadonlyMap<string, StreamSuspicion> = new Map();
const NOBODY: ReadonlySet<string> = new Set();

export const polledPlace = (
  facts: PlaceFacts,
  learntAt: number,
  membersSource: PolledPlace['membersSource'],
): PolledPlace => ({
  ...facts,
  ref: { kind: facts.kind, id: facts.id },
  learntAt,
  cursor: { last: undefined, emptyPolls: 0, endAt: undefined, shy: false },
  doubt: undefined,
  membersSource,
  suspicions: NONE,
  rejoining: NOBODY,
  membersTurn: Promise.resolve(),
  health: undefined,
});
