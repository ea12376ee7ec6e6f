import type { z } from 'zod';
import type { edgeRule } from './bot-schema.ts';
import { kindsIn } from './compile-scope.ts';
import type { RulePlace } from './rule-head.ts';
import type { Spot } from './spot.ts';
import type { TriggerWord } from './word.ts';

/** Events that only one kind of place has. */
const ONLY_IN: Readonly<Record<string, 'room' | 'channel'>> = {
  message: 'room',
  command: 'room',
  'room.opened': 'room',
  'room.closed': 'room',
  'channel.opened': 'channel',
  'channel.closed': 'channel',
};

/** Warns of a rule that is sound and yet can never act: a scope without its event, a role that is excepted. */
export function warnOfSilence(
  rule: z.infer<typeof edgeRule>,
  { bot, file, spot }: RulePlace,
  word: TriggerWord,
): void {
  const kind = ONLY_IN[word.name];
  const kinds = kindsIn(rule.in ?? {}).filter((one) => kindsIn(file.in).includes(one));
  if (kind !== undefined && kinds.length > 0 && !kinds.includes(kind))
    bot.findings.warn(
      spot.get('in') ?? spot,
      `"${word.name}" happens in ${kind}s, and this rule is for ${kinds.join(' and ')}s alone: it never acts`,
    );
  const passedOver = [(rule.except ?? file.defaults.except)?.role ?? []].flat();
  const condition = spot.get('if');
  if (condition === undefined || passedOver.length === 0) return;
  for (const asked of rolesAsked(condition)) {
    const roles = [asked.value].flat();
    if (roles.length > 0 && roles.every((role) => passedOver.some((one) => one === role)))
      bot.findings.warn(
        asked,
        `only ${roles.join(' and ')} would do, and "except" passes them over: this never holds`,
      );
  }
}

/** `member: {role}` where it must hold: at the top, in lists and under `all`. */
function rolesAsked(spot: Spot): readonly Spot[] {
  if (spot.kind === 'list') return spot.items().flatMap(rolesAsked);
  return spot.entries().flatMap(([name, value]) => {
    if (name === 'all') return rolesAsked(value);
    const role = name === 'member' ? value.get('role') : undefined;
    return role === undefined ? [] : [role];
  });
}
