import type { ActionType } from '../domain/action.ts';
import type { BoundRule } from '../plugin/bot.ts';
import type { KeeperDefinition, PluginDefinition, RuleDefinition } from '../plugin/definitions.ts';
import { pluginKeeperRule, pluginRule } from './bot-schema.ts';
import { checkShape } from './check-shape.ts';
import { KEEPER_NAMES } from './compile-keeper-rule.ts';
import { didYouMean } from './did-you-mean.ts';
import { PLANNED } from './planned.ts';
import { fingerprint, modeOf, ruleHead } from './rule-head.ts';
import type { RulePlace } from './rule-head.ts';

type Plugins = ReadonlyMap<string, PluginDefinition>;

/** Compiles `use / with`: a rule or a keeper of a plugin; undefined when it is off, or wrong (with findings). */
export function compilePluginRule(place: RulePlace, plugins: Plugins): BoundRule | undefined {
  const { spot, bot } = place;
  const rule = checkShape(pluginRule, spot, bot.findings, PLANNED.key);
  const definition = find(place, 'use', plugins, ({ kind }) => kind !== 'condition');
  return bind(place, rule, definition);
}

/** Compiles `keep / with` with the word of a plugin. */
export function compilePluginKeeper(place: RulePlace, plugins: Plugins): BoundRule | undefined {
  const { spot, bot } = place;
  const definition = find(place, 'keep', plugins, ({ kind }) => kind === 'keeper');
  if (definition === undefined) return undefined;
  return bind(place, checkShape(pluginKeeperRule, spot, bot.findings, PLANNED.key), definition);
}

function find(
  { spot, bot }: RulePlace,
  key: 'use' | 'keep',
  plugins: Plugins,
  fits: (definition: PluginDefinition) => boolean,
): RuleDefinition | KeeperDefinition | undefined {
  const at = spot.get(key);
  const name = at?.value;
  if (at === undefined || typeof name !== 'string') return undefined;
  const definition = plugins.get(name);
  if (definition !== undefined && definition.kind !== 'condition' && fits(definition)) return definition;
  const usable = [...plugins.values()].filter(fits).map((one) => one.name);
  const known = key === 'keep' ? [...KEEPER_NAMES, ...usable] : usable;
  const later = key === 'keep' ? PLANNED.keeper.get(name) : undefined;
  const kind = key === 'keep' ? 'keeper' : 'plugin';
  bot.findings.error(
    at,
    definition === undefined
      ? `unknown ${kind} "${name}"${later === undefined ? didYouMean(name, known) || (known.length === 0 ? ': no plugin is loaded' : `, known are ${known.join(', ')}`) : `: ${later}`}`
      : `the plugin "${name}" is a ${definition.kind}: ${definition.kind === 'condition' ? 'it stands in "if"' : 'write "use"'}`,
  );
  return undefined;
}

function bind(
  place: RulePlace,
  rule:
    | (Parameters<typeof ruleHead>[0] & { readonly grants?: readonly ActionType[] | undefined })
    | undefined,
  definition: RuleDefinition | KeeperDefinition | undefined,
): BoundRule | undefined {
  const { bot, file, spot } = place;
  if (definition === undefined) return undefined;
  const options = checkShape<unknown>(
    definition.options,
    spot.get('with') ?? spot.under('with').asEmptyMap(),
    bot.findings,
  );
  if (rule === undefined) return undefined;
  const head = ruleHead(rule, place);
  const mode = modeOf(rule, file);
  const mayDo = mode === 'enforce' ? granted(rule.grants, place, definition) : definition.mayDo;
  if (mode === 'off') return undefined;
  return {
    ...head,
    definition,
    options,
    mayDo: new Set(mayDo),
    fingerprint: fingerprint(bot.name, spot.value, file.in, file.defaults, codeOf(definition)),
  };
}

/**
 * A plugin that enforces does what the operator granted, so all that it may do has to be granted, in the rule or in
 * the bot's defaults: what is missing would be a rule that silently does half of its work.
 */
function granted(
  own: readonly ActionType[] | undefined,
  { bot, file, spot }: RulePlace,
  { name, mayDo }: RuleDefinition | KeeperDefinition,
): readonly ActionType[] {
  const grants = own ?? file.defaults.grants ?? [];
  const missing = mayDo.filter((type) => !grants.includes(type));
  if (missing.length > 0)
    bot.findings.error(
      spot.get('grants') ?? spot.get('use') ?? spot,
      `the plugin "${name}" may do ${missing.join(', ')}, which nobody granted: to let it enforce, write "grants: [${mayDo.join(', ')}]" into this rule`,
    );
  for (const extra of own?.filter((type) => !mayDo.includes(type)) ?? [])
    bot.findings.warn(
      spot.get('grants') ?? spot,
      `the plugin "${name}" never does ${extra}: this grant is for nothing`,
    );
  return mayDo.filter((type) => grants.includes(type));
}

/** A plugin that was changed is another rule, even under the same options. */
export const codeOf = (definition: PluginDefinition): string =>
  definition.version ??
  Object.values(definition)
    .filter((part) => typeof part === 'function')
    .map(String)
    .join('\n');
