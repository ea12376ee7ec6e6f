import type { BotScope } from './bot-scope.ts';
import { PLANNED } from './planned.ts';
import { lookUp, readOptions, writtenWord } from './read-word.ts';
import type { Spot } from './spot.ts';
import { TRIGGERS } from './vocabulary.ts';
import type { Trigger, TriggerWord } from './word.ts';

/** The word behind `when` and what it compiled to; undefined, with findings, when there is no such word. */
export function compileTrigger(
  spot: Spot,
  rule: string,
  bot: BotScope,
): { readonly word: TriggerWord; readonly trigger: Trigger } | undefined {
  const { findings } = bot;
  const entries = spot.kind === 'map' ? spot.entries() : [];
  // A word may have keys beside it: the word is the first that is one, else the first of all.
  const entry = entries.find(([name]) => TRIGGERS.has(name)) ?? entries[0];
  const written = writtenWord(spot, entry?.[1]);
  if (written === undefined) {
    findings.error(
      spot,
      'a rule hears one kind of event: write one, such as message; for several, write several rules',
    );
    return undefined;
  }
  const word = lookUp('event', written, TRIGGERS, PLANNED.trigger, findings);
  if (word === undefined) return undefined;
  for (const [name, other] of entries) {
    if (name === written.name || word.beside?.includes(name) === true) continue;
    findings.error(
      other.asKey(),
      `"${name}" cannot stand beside "${word.name}": a rule hears one kind of event`,
    );
  }
  const read = readOptions(word, written, findings);
  const trigger =
    read &&
    word.compile(read.options, {
      bot,
      rule,
      spot: written.spot,
      beside: (key) => (word.beside?.includes(key) === true ? spot.get(key) : undefined),
    });
  return { word, trigger: trigger ?? {} };
}
