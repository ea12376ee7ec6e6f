import { didYouMean } from './did-you-mean.ts';
import type { BotScope } from './bot-scope.ts';
import type { Spot } from './spot.ts';

/** The ladder that is named, or the only one; a finding and undefined where there is none. */
export function resolveLadder(bot: BotScope, name: string | undefined, spot: Spot): string | undefined {
  const known = [...bot.ladders.keys()];
  if (name === undefined) {
    if (known.length === 1) return known[0];
    bot.findings.error(
      spot,
      known.length === 0
        ? 'no ladder is defined: add one under "strikes"'
        : `several ladders are defined: say which, ladder: ${known.join(' or ')}`,
    );
    return undefined;
  }
  if (bot.ladders.has(name)) return name;
  bot.findings.error(spot.get('ladder') ?? spot, `unknown ladder "${name}"${didYouMean(name, known)}`);
  return undefined;
}
