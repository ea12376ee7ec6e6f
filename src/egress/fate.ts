/** It happened, now or before; `result` holds ids that the platform gave. */
export interface Done {
  readonly kind: 'done';
  readonly detail: string;
  readonly result: Readonly<Record<string, string>>;
}

/** What one request told us. Only `doubt` leaves open whether anything happened. */
export type Fate =
  | Done
  /** Nothing happened, and it may be asked again; `limited` when the platform had too much to do. */
  | { readonly kind: 'again'; readonly reason: string; readonly limited: boolean }
  /** Nothing happened, and asking again would not help. */
  | { readonly kind: 'failed'; readonly detail: string }
  /** Nothing happened, to this action or any other: the credentials are refused. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  | { readonly kind: 'doubt'; readonly reason: string };

/** What reading back told us. `unclear`: it can never tell (the history was cut, or is too long to search). */
export type ReadBack =
  | Done
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly reason: string };

export const done = (detail: string, result: Readonly<Record<string, string>> = {}): Done => ({
  kind: 'done',
  detail,
  result,
});

export const failed = (detail: string): Fate => ({ kind: 'failed', detail });
