/** Bots as the language would compile them, with the least words. */
import type { ActionType } from '../../src/domain/action.ts';
import type { Bot, BoundRule, Ladder } from '../../src/plugin/bot.ts';
import type { KeeperDefinition, RuleDefinition } from '../../src/plugin/definitions.ts';
import { defineRule, z } from '../../src/plugin/index.ts';
import type { EventType } from '../../src/domain/event.ts';

export const ANYWHERE = { covers: () => true };

/** A rule that does what `decide` says, may do everything, and hears what it is given. */
export const rule = (
  name: string,
  hears: readonly EventType[],
  decide: NonNullable<RuleDefinition['decide']>,
  mayDo: readonly ActionType[] = [
    'message.hide',
    'message.send',
    'member.mute',
    'member.strike',
    'log.write',
  ],
): RuleDefinition => defineRule({ name, hears, mayDo, options: z.unknown(), decide });

export const bind = (
  definition: RuleDefinition | KeeperDefinition,
  more: Partial<BoundRule> = {},
): BoundRule => ({
  id: definition.name,
  bot: 'house',
  mode: 'enforce',
  scope: ANYWHERE,
  definition,
  options: definition.options.parse({}),
  mayDo: new Set(definition.mayDo),
  stop: false,
  from: 'bots/house.yaml:1:1',
  fingerprint: definition.name,
  ...more,
});

export const bot = (rules: readonly BoundRule[], more: Partial<Bot> = {}): Bot => ({
  name: 'house',
  as: { screenName: 'House', role: 'Moderator' },
  scope: ANYWHERE,
  rules,
  ladders: new Map(),
  notify: new Map(),
  ...more,
});

export const ladders = (...list: readonly Ladder[]): ReadonlyMap<string, Ladder> =>
  new Map(list.map((ladder) => [ladder.name, ladder]));
