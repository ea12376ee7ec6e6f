import type { z } from 'zod';
import type { ActionDraft, ActionType } from '../domain/action.ts';
import type { EventType, UsherEvent } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { BoundRule, Mode } from '../plugin/bot.ts';
import type { ConditionDefinition } from '../plugin/definitions.ts';
import type { BotScope } from './bot-scope.ts';
import type { Evidence } from './evidence.ts';
import type { Gift } from './gift.ts';
import type { Moment } from './moment.ts';
import type { Occasion } from './occasion.ts';
import type { Spot } from './spot.ts';

/** One word of the language, as the compiler, the JSON Schema and `docs/rules.md` know it. */
export interface Word<O = unknown> {
  readonly name: string;
  /** One line for the reference. */
  readonly summary: string;
  /** YAML, as it stands in a rule. */
  readonly example: string;
  readonly options: z.ZodType<O>;
  /** What the word means when it stands alone; absent when it cannot. */
  readonly bare?: unknown;
}

/** A fact about the rule that a word is part of. */
export interface RuleSite {
  readonly id: string;
  readonly mode: Mode;
  readonly bot: BotScope;
  gives(gift: Gift): boolean;
  /** What stands behind `when`, for findings. */
  readonly trigger: string;
  /** The rule's `note`, else its id. */
  readonly reason: string;
  /** False inside a ladder: what is remembered belongs to a rule. */
  readonly remembers: boolean;
  /** Points that this rule gives when it acts: `{{strikes}}` counts them in. */
  noteStrike(ladder: string, points: number): void;
  /** A name of its own for what a condition or action remembers. */
  memoryKey(word: string): string;
  /** Makes the rule hear one more event, only to count it. */
  alsoCount(counter: Counter): void;
  /** Lists whose terms this rule depends on: part of its fingerprint. */
  useList(name: string): void;
  /** The rule asks a plugin: a changed plugin makes it another rule. */
  usePlugin(plugin: ConditionDefinition): void;
}

/** A word at its place in a file. */
export interface Site {
  readonly rule: RuleSite;
  readonly spot: Spot;
}

/** Notes an event in a window and decides nothing. */
export interface Counter {
  readonly hears: readonly EventType[];
  count(moment: Moment): void;
}

/** A word for `when`. */
export interface TriggerWord<O = unknown> extends Word<O> {
  readonly hears: readonly EventType[];
  readonly gives: readonly Gift[];
  /** Keys that may stand beside the word. */
  readonly beside?: readonly string[];
  compile(options: O, site: TriggerSite): Trigger;
}

/** Where a trigger stands; the rule is not known yet. */
export interface TriggerSite {
  readonly bot: BotScope;
  readonly rule: string;
  readonly spot: Spot;
  /** The value of a key beside the word. */
  beside(key: string): Spot | undefined;
}

export interface Trigger {
  /** Narrower than `hears`: absent when every such event counts. */
  readonly occurs?: (event: UsherEvent) => boolean;
  readonly schedule?: NonNullable<BoundRule['schedule']>;
}

/** A word for `if`. */
export interface ConditionWord<O = unknown> extends Word<O> {
  readonly needs: readonly Gift[];
  /** It asks the room alone (`roomCondition`): it may stand behind `while`. */
  readonly level?: true;
  /** What actions may then speak of. */
  readonly gives?: readonly Gift[];
  compile(options: O, site: Site): Condition;
}

/** Holds with evidence, or does not. */
export interface Condition {
  /** Relative price; the cheaper of two is asked first. Infinity for what remembers: it sees each event just once. */
  readonly cost: number;
  test(moment: Moment): Evidence | undefined;
  /** Present when the room alone decides. */
  readonly holds?: (room: PlaceView) => boolean;
}

/** A word for `then` and for `do` of a ladder. */
export interface ActionWord<O = unknown> extends Word<O> {
  readonly needs: readonly Gift[];
  readonly does: readonly ActionType[];
  /** Ladders know no memory and no further strike: such words stand in rules only. */
  readonly rulesOnly?: boolean;
  compile(options: O, site: Site): Perform;
}

export type Perform = (occasion: Occasion) => readonly ActionDraft[];

/** The value of a word that stands alone is `bare`; one that has no `bare` needs a value. */
export const isBareable = (word: Word): boolean => 'bare' in word;
