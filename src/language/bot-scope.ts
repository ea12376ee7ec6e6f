import type { ActionType } from '../domain/action.ts';
import type { ConditionDefinition } from '../plugin/definitions.ts';
import type { ListSpec } from '../text/index.ts';
import type { Findings } from './finding.ts';
import type { Gift } from './gift.ts';
import type { TextIndex } from './text-index.ts';

/** What a ladder asks of the rules that strike on it (by the word that asks), and what its steps do. */
export interface LadderFacts {
  readonly needs: ReadonlyMap<Gift, string>;
  readonly does: ReadonlySet<ActionType>;
}

/** What the words of one bot may refer to, and where they report. */
export interface BotScope {
  readonly name: string;
  readonly findings: Findings;
  readonly text: TextIndex;
  /** What each list looks for, by its name. */
  readonly lists: ReadonlyMap<string, ListSpec>;
  readonly ladders: ReadonlyMap<string, LadderFacts>;
  readonly notify: ReadonlySet<string>;
  /** Words that plugins add to `if`. */
  readonly conditions: ReadonlyMap<string, ConditionDefinition>;
  /** Ids of the rules that hear `action.failed`. */
  readonly failureRules: ReadonlySet<string>;
  /** Whether any of its rules enforces. */
  readonly enforces: boolean;
  /** `clients: cooperating` was declared. */
  readonly cooperating: boolean;
  /** Most bytes of a message. */
  readonly messageBytes: number;
}
