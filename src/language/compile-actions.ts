import { GUARANTEES } from '../domain/action.ts';
import type { ActionType } from '../domain/action.ts';
import type { Gift } from './gift.ts';
import { GIFT_NAMES } from './gift.ts';
import { PLANNED } from './planned.ts';
import { lookUp, readOptions, writtenWord } from './read-word.ts';
import type { Spot } from './spot.ts';
import { ACTIONS, TRIGGERS } from './vocabulary.ts';
import type { ActionWord, Perform, RuleSite } from './word.ts';

/** A list of actions, ready to be asked for drafts in order. */
export interface CompiledActions {
  readonly perform: Perform;
  readonly does: ReadonlySet<ActionType>;
  /** What the words need of the event, by the word that needs it. */
  readonly needs: ReadonlyMap<Gift, string>;
}

/** Compiles `then` of a rule or `do` of a ladder: a list of words, or one. */
export function compileActions(spot: Spot, rule: RuleSite, place: 'rule' | 'ladder'): CompiledActions {
  const { findings } = rule.bot;
  const items = spot.kind === 'list' ? spot.items() : [spot];
  const performs: Perform[] = [];
  const does = new Set<ActionType>();
  const needs = new Map<Gift, string>();
  if (items.length === 0) findings.error(spot, 'no action is listed: write one, such as hide');
  for (const item of items) {
    const entries = item.kind === 'map' ? item.entries() : [];
    if (entries.length > 1) {
      findings.error(item, `one action an item: ${entries.map(([name]) => name).join(', ')} stand in one`);
      continue;
    }
    const written = writtenWord(item, entries[0]?.[1]);
    if (written === undefined) {
      findings.error(item, 'expected an action, such as hide or {reply: "…"}');
      continue;
    }
    const word = lookUp('action', written, ACTIONS, PLANNED.action, findings);
    if (word === undefined) continue;
    if (place === 'ladder' && word.rulesOnly === true) {
      findings.error(written.at, `"${word.name}" cannot stand in a ladder: it would climb by itself`);
      continue;
    }
    checkPlace(word, written.at, rule, place);
    const read = readOptions(word, written, findings);
    for (const gift of word.needs) needs.set(gift, word.name);
    for (const type of word.does) does.add(type);
    if (read !== undefined) performs.push(word.compile(read.options, { rule, spot: written.spot }));
  }
  return { perform: (occasion) => performs.flatMap((perform) => perform(occasion)), does, needs };
}

function checkPlace(word: ActionWord, at: Spot, rule: RuleSite, place: 'rule' | 'ladder'): void {
  const { findings, cooperating } = rule.bot;
  const missing = word.needs.filter((gift) => !rule.gives(gift));
  if (missing.length > 0) {
    const what = missing.map((gift) => GIFT_NAMES[gift]).join(' and ');
    const where = place === 'ladder' ? '' : `: it goes with ${triggersFor(word).join(', ')}`;
    findings.error(at, `"${word.name}" needs ${what}, and "${rule.trigger}" has none${where}`);
  }
  const advisory = word.does.some((type) => GUARANTEES[type] === 'advisory');
  if (advisory && rule.mode === 'enforce' && !cooperating)
    findings.warn(
      at,
      `"${word.name}" is advisory: it does nothing in clients that do not know usher's marker; write "clients: cooperating" into this bot when yours do`,
    );
}

const triggersFor = (word: ActionWord): readonly string[] =>
  [...TRIGGERS.values()]
    .filter(({ gives }) => word.needs.every((gift) => gives.includes(gift)))
    .map(({ name }) => name);
