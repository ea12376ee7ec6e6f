import type { UsherEvent } from '../domain/event.ts';
import type { PlaceRef } from '../domain/place.ts';
import type { BanIndex } from './ban-index.ts';
import type { PastDeaths, Whereabouts } from './ports.ts';
import type { RuleCooldowns } from './rule-cooldowns.ts';
import type { Supervisor } from './supervisor.ts';

/** What all turns of an engine share. */
export interface TurnServices {
  readonly supervisor: Supervisor;
  readonly bans: BanIndex;
  readonly cooldowns: RuleCooldowns;
  readonly catchUpMs: number;
  /** Ms since 1970; see `EngineOptions`. */
  readonly quietBefore: number;
  readonly whereabouts: Whereabouts;
  readonly setAside: PastDeaths['setAside'];
  /** Takes note of actions that were refused because a rule wanted too many; `tell` once a minute. */
  readonly overBudget: (
    rule: { readonly bot: string; readonly rule: string },
    place: PlaceRef | undefined,
    refused: { readonly refused: number; readonly reason: string },
    tell: boolean,
  ) => void;
  /** Takes note of a rule's throw. */
  readonly failed: (
    rule: { readonly bot: string; readonly rule: string },
    event: UsherEvent,
    error: unknown,
    quarantined: boolean,
  ) => void;
}
