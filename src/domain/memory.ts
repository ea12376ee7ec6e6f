/** Plain data: what survives a restart in a lane's state. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/**
 * What a rule remembers in one place, kept with the lane's state and committed with the event: a crash forgets neither
 * or both. Entries past `forMs` are gone. Keys are the rule's own; no rule sees another's.
 */
export interface Memory {
  get(key: string): Plain | undefined;
  set(key: string, value: Plain, options: { readonly forMs: number }): void;
  delete(key: string): void;
}
