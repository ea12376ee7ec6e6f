import { botFile } from './bot-schema.ts';
import type { BotFile, LadderOptions } from './bot-schema.ts';
import type { Spot } from './spot.ts';

/**
 * What is right in a file whose head has findings, and empty parts under the names of the rest: so its rules are
 * looked at too, and nobody hears of an unknown list because another key is wrong.
 */
export function salvageFile(root: Spot): BotFile {
  const { shape } = botFile;
  const part = <K extends keyof BotFile>(key: K, otherwise: BotFile[K]): BotFile[K] => {
    const parsed = shape[key].safeParse(root.get(key)?.value);
    return parsed.success ? (parsed.data as BotFile[K]) : otherwise; // the key's own schema made it
  };
  const named = <K extends 'lists' | 'strikes' | 'notify'>(
    key: K,
    otherwise: (spot: Spot) => BotFile[K][string],
  ): BotFile[K] => {
    const each = (root.get(key)?.entries() ?? []).map(([name, spot]) => {
      const parsed = shape[key].safeParse({ [name]: spot.value });
      return [name, parsed.success && parsed.data[name] ? parsed.data[name] : otherwise(spot)] as const;
    });
    return Object.fromEntries(each) as BotFile[K]; // one key's schema or its empty form made each of them
  };
  return {
    version: 1,
    bot: part('bot', ''),
    in: part('in', {}),
    clients: part('clients', undefined),
    defaults: part('defaults', {}),
    lists: named('lists', () => ({ terms: [] })),
    strikes: named('strikes', (spot) => ({ ladder: stepsOf(spot) })),
    notify: named('notify', () => ({ webhook: '' })),
    rules: [],
  };
}

/** As many steps as are written, so that each `do` is looked at. */
const stepsOf = (ladder: Spot): LadderOptions['ladder'] =>
  ladder.get('ladder')?.kind === 'list'
    ? (ladder.get('ladder')?.items() ?? []).map(() => ({ at: 1, do: [] }))
    : [];
