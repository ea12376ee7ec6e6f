import type { Bot, BoundRule, Ladder } from '../plugin/bot.ts';
import type { ConditionDefinition, PluginDefinition } from '../plugin/definitions.ts';
import type { ListSpec } from '../text/index.ts';
import type { BotScope, LadderFacts } from './bot-scope.ts';
import { botFile } from './bot-schema.ts';
import type { BotFile } from './bot-schema.ts';
import { checkShape } from './check-shape.ts';
import { compileEdgeRule } from './compile-edge-rule.ts';
import { compileKeeperRule, KEEPER_NAMES } from './compile-keeper-rule.ts';
import { compileLadder } from './compile-ladder.ts';
import { compileList } from './compile-list.ts';
import { compilePluginKeeper, compilePluginRule } from './compile-plugin-rule.ts';
import { compileScope } from './compile-scope.ts';
import { closest } from './closest.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Findings } from './finding.ts';
import { PLANNED } from './planned.ts';
import { modeOf } from './rule-head.ts';
import type { RulePlace } from './rule-head.ts';
import { salvageFile } from './salvage-file.ts';
import type { Spot } from './spot.ts';
import { TextIndex } from './text-index.ts';

/** What a bot file may refer to outside of itself. */
export interface Surroundings {
  readonly findings: Findings;
  readonly plugins: ReadonlyMap<string, PluginDefinition>;
  /** The text of a list file; throws when there is none. */
  readonly readFile: (path: string) => string;
  readonly messageBytes: number;
}

/** Compiles one bot; usable only if the findings have no error afterwards. */
export function compileBot(root: Spot, around: Surroundings): Bot {
  const { findings, plugins } = around;
  const checked = checkShape(botFile, root, findings, PLANNED.key);
  // The rules are compiled even when the head is wrong, so that one run tells all findings.
  const file = checked ?? salvageFile(root);
  const text = new TextIndex();
  const lists = new Map<string, ListSpec>();
  for (const [name, options] of Object.entries(file.lists)) {
    const spot = root.get('lists')?.get(name) ?? root;
    lists.set(name, compileList(name, options, spot, { text, findings, readFile: around.readFile }));
  }
  const ruleSpots = root.get('rules')?.kind === 'list' ? (root.get('rules')?.items() ?? []) : [];
  const enforces = ruleSpots.some((spot) => modeWritten(spot, file) === 'enforce');
  const ladders = new Map<string, Ladder>();
  const ladderFacts = new Map<string, LadderFacts>();
  const bot: BotScope = {
    name: file.bot,
    findings,
    text,
    lists,
    ladders: ladderFacts,
    notify: new Set(Object.keys(file.notify)),
    conditions: conditionsOf(plugins),
    failureRules: new Set(ruleSpots.filter(hearsFailures).map((spot) => String(spot.get('id')?.value))),
    enforces,
    cooperating: file.clients === 'cooperating',
    messageBytes: around.messageBytes,
  };
  for (const [name, options] of Object.entries(file.strikes)) {
    const spot = root.get('strikes')?.get(name) ?? root;
    const { ladder, facts } = compileLadder(name, options, spot, bot, enforces ? 'enforce' : 'shadow');
    ladders.set(name, ladder);
    ladderFacts.set(name, facts);
  }
  refuseDoubles(ruleSpots, findings);
  const scope = compileScope(file.in);
  const rules = ruleSpots.flatMap((spot) => compileRule({ bot, file, scope, spot }, plugins) ?? []);
  text.seal(findings);
  return {
    name: file.bot,
    as: { screenName: file.as?.screenName ?? file.bot, role: file.as?.role ?? 'Moderator' },
    scope,
    rules,
    ladders,
    notify: new Map(Object.entries(file.notify)),
  };
}

const SHAPES = ['when', 'keep', 'use'] as const;

function compileRule(place: RulePlace, plugins: Surroundings['plugins']): BoundRule | undefined {
  const { spot, bot } = place;
  if (spot.kind !== 'map') {
    bot.findings.error(spot, `a rule is a map (id, when, if, then, …), this is a ${spot.kind}`);
    return undefined;
  }
  const shapes = SHAPES.filter((shape) => spot.get(shape) !== undefined);
  const [shape, second] = shapes;
  if (shape === undefined) {
    const near = spot.entries().find(([key]) => closest(key, SHAPES) !== undefined);
    const hint = near ? didYouMean(near[0], SHAPES) : '';
    bot.findings.error(
      near ? near[1].asKey() : spot,
      `a rule has one of when (with then), keep and use${hint}`,
    );
    return undefined;
  }
  if (second !== undefined) {
    bot.findings.error(
      (spot.get(second) ?? spot).asKey(),
      `a rule has either "${shape}" or "${second}": write two rules`,
    );
    return undefined;
  }
  if (shape === 'when') return compileEdgeRule(place);
  if (shape === 'use') return compilePluginRule(place, plugins);
  const keep = spot.get('keep');
  if (typeof keep?.value !== 'string') {
    bot.findings.error(
      keep ?? spot,
      `expected what to keep: ${KEEPER_NAMES.join(', ')}, or a keeper of a plugin`,
    );
    return undefined;
  }
  return KEEPER_NAMES.includes(keep.value)
    ? compileKeeperRule(place, keep.value)
    : compilePluginKeeper(place, plugins);
}

function modeWritten(spot: Spot, file: BotFile): ReturnType<typeof modeOf> | undefined {
  const mode = spot.get('mode')?.value;
  return mode === undefined ? modeOf({}, file) : mode === 'enforce' ? 'enforce' : undefined;
}

const hearsFailures = (spot: Spot): boolean => {
  const when = spot.get('when');
  return when?.value === 'action.failed' || when?.get('action.failed') !== undefined;
};

const conditionsOf = (plugins: Surroundings['plugins']): ReadonlyMap<string, ConditionDefinition> =>
  new Map(
    [...plugins.values()].flatMap((plugin) =>
      plugin.kind === 'condition' ? [[plugin.name, plugin] as const] : [],
    ),
  );

function refuseDoubles(rules: readonly Spot[], findings: Findings): void {
  const first = new Map<unknown, Spot>();
  for (const rule of rules) {
    const id = rule.get('id');
    if (id === undefined || typeof id.value !== 'string') continue;
    const before = first.get(id.value);
    if (before === undefined) first.set(id.value, id);
    else findings.error(id, `duplicate id "${id.written}", first on line ${before.at.line}`);
  }
}
