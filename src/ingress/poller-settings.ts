interface Between {
  readonly minMs: number;
  readonly maxMs: number;
}

/** What the operator sets of polling; durations in ms. */
export interface PollerSettings {
  readonly rooms: { readonly everyMs: number };
  readonly channels: { readonly everyMs: number };
  readonly members: Between;
  readonly messages: Between;
  /** How old a message may be to be told of when its room is seen for the first time. */
  readonly catchUpMs?: number | undefined;
  /** How long a notification may take to tell of a stream before a poll does. */
  readonly headStartMs?: number | undefined;
  /** How long a notification may be away before it counts as lost. */
  readonly lostAfterMs?: number | undefined;
  /** Failures in a row that make a source degraded. */
  readonly failuresInARow?: number | undefined;
  /** Polls under way at once. */
  readonly concurrency?: number | undefined;
  /** For deployments whose stream URIs differ: its first group is the stream id. */
  readonly streamUriPattern?: RegExp | undefined;
}
