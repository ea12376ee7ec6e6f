import { createHash } from 'node:crypto';
import type { ActionBudget, BoundRule, Mode, Scope } from '../plugin/bot.ts';
import type { BotScope } from './bot-scope.ts';
import type { BotFile, Cooldown } from './bot-schema.ts';
import { compileExcept } from './compile-except.ts';
import type { exceptOption } from './compile-except.ts';
import { compileScope, kindsIn, narrowScope } from './compile-scope.ts';
import type { scopeOption } from './scope-option.ts';
import type { Spot } from './spot.ts';
import type { z } from 'zod';

/** What a rule stands in: its bot's file and scope, and its own spot. */
export interface RulePlace {
  readonly bot: BotScope;
  readonly file: BotFile;
  readonly scope: Scope;
  readonly spot: Spot;
}

/** The keys that every rule has, as checked. */
interface CommonKeys {
  readonly id: string;
  readonly in?: z.infer<typeof scopeOption> | undefined;
  readonly mode?: Mode | 'off' | undefined;
  readonly except?: z.infer<typeof exceptOption> | undefined;
  readonly cooldown?: Cooldown | undefined;
  readonly stop?: boolean | undefined;
  readonly budget?: ActionBudget | undefined;
}

type Head = Pick<BoundRule, 'id' | 'bot' | 'mode' | 'scope' | 'stop' | 'from'> &
  Partial<Pick<BoundRule, 'except' | 'cooldown' | 'budget'>>;

/** The mode that a rule will have; a rule that says nothing, in a bot that says nothing, is only shown. */
export const modeOf = (rule: { readonly mode?: Mode | 'off' | undefined }, file: BotFile): Mode | 'off' =>
  rule.mode ?? file.defaults.mode ?? 'shadow';

/** What is the same for every shape of rule. */
export function ruleHead(rule: CommonKeys, { bot, file, scope, spot }: RulePlace): Head {
  const except = compileExcept(rule.except ?? file.defaults.except ?? {});
  const cooldown = cooldownOf(rule.cooldown ?? file.defaults.cooldown);
  const budget = rule.budget ?? file.defaults.budget;
  const mode = modeOf(rule, file);
  warnOfEmptyScope(rule, file, bot, spot);
  return {
    id: rule.id,
    bot: bot.name,
    mode: mode === 'off' ? 'shadow' : mode,
    scope: narrowScope(scope, compileScope(rule.in ?? {})),
    stop: rule.stop ?? false,
    from: `${spot.file}:${spot.at.line}:${spot.at.col}`,
    ...(except && { except }),
    ...(cooldown && { cooldown }),
    ...(budget && { budget }),
  };
}

const cooldownOf = (given: Cooldown | undefined): BoundRule['cooldown'] =>
  given === undefined
    ? undefined
    : typeof given === 'number'
      ? { forMs: given, per: 'room' }
      : { forMs: given.for, per: given.per };

function warnOfEmptyScope(rule: CommonKeys, file: BotFile, bot: BotScope, spot: Spot): void {
  const inner = rule.in ?? {};
  const at = spot.get('in') ?? spot;
  if (!kindsIn(inner).some((kind) => kindsIn(file.in).includes(kind)))
    bot.findings.warn(
      at,
      `the bot's "in" leaves out the ${kindsIn(inner).join(' and ')}s that this rule is for: it never acts`,
    );
  else if (inner.types !== undefined && file.in.types?.some((type) => inner.types?.includes(type)) === false)
    bot.findings.warn(at, `the bot acts in ${file.in.types.join(', ')} alone: this rule never acts`);
}

/** Equal for equal parts; short enough for a log line. */
export const fingerprint = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
