import type { Bot, BoundRule } from '../plugin/bot.ts';
import type { KeeperDefinition, RuleDefinition } from '../plugin/definitions.ts';

/** A bound rule whose definition is of one kind, with its bot. `key` is `<bot>/<rule>`. */
export interface Placed<D> {
  readonly bot: Bot;
  readonly bound: BoundRule;
  readonly definition: D;
  readonly key: string;
  /** Where its state lies: mode, bot and rule. */
  readonly namespace: string;
  /** One string for the rule as it stands: bot, rule and fingerprint. */
  readonly identity: string;
  /** What `Whereabouts` knows it by. */
  readonly number: number;
}

/** A rule that reacts to events. */
export type EdgeRule = Placed<RuleDefinition>;

/** A rule that keeps a state true. */
export type KeeperRule = Placed<KeeperDefinition>;
