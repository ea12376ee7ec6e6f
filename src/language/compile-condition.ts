import type { ConditionDefinition } from '../plugin/definitions.ts';
import { checkShape } from './check-shape.ts';
import { all, any, not } from './combine-conditions.ts';
import type { Tree } from './combine-conditions.ts';
import { HOLDS } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { GIFT_NAMES } from './gift.ts';
import { PLANNED } from './planned.ts';
import { lookUp, readOptions, writtenWord } from './read-word.ts';
import type { Written } from './read-word.ts';
import { roomCondition } from './room-condition.ts';
import type { Spot } from './spot.ts';
import { CONDITIONS } from './vocabulary.ts';
import type { Condition, RuleSite } from './word.ts';

/** `if` hears an event, `while` asks the room alone. */
type Place = 'if' | 'while';

const NEVER: Tree = { condition: { cost: 0, test: () => undefined, holds: () => false }, gives: [] };

/** Compiles `if` or `while`; whatever is wrong with it is among the findings, and it then never holds. */
export function compileCondition(spot: Spot, rule: RuleSite, place: Place): Tree {
  return all(partsOf(spot, rule, place));
}

function partsOf(spot: Spot, rule: RuleSite, place: Place): readonly Tree[] {
  const parts =
    spot.kind === 'map'
      ? spot.entries().map(([, value]) => one(spot, value, rule, place))
      : spot.kind === 'list'
        ? spot.items().map((item) => all(partsOf(item, rule, place)))
        : [one(spot, undefined, rule, place)];
  if (parts.length === 0)
    rule.bot.findings.error(spot, 'an empty condition says nothing: write one, or leave it out');
  return parts;
}

function one(spot: Spot, value: Spot | undefined, rule: RuleSite, place: Place): Tree {
  const written = writtenWord(spot, value);
  const { findings } = rule.bot;
  if (written === undefined) {
    findings.error(spot, 'expected a condition, such as {text: {list: slurs}}');
    return NEVER;
  }
  if (value !== undefined) {
    if (written.name === 'all') return all(partsOf(value, rule, place));
    if (written.name === 'any') return any(partsOf(value, rule, place));
    if (written.name === 'not') return not(all(partsOf(value, rule, place)));
  }
  if (place === 'while' && written.bare && written.name === 'publishing')
    return { condition: roomCondition(1, ({ streams }) => streams.size > 0), gives: [] };
  const own = CONDITIONS.get(written.name);
  const plugin = own === undefined ? rule.bot.conditions.get(written.name) : undefined;
  if (plugin !== undefined && place === 'if') {
    rule.usePlugin(plugin);
    const options = checkShape(
      plugin.options,
      written.bare ? written.spot.asEmptyMap() : written.spot,
      findings,
    );
    return {
      condition: pluginCondition(plugin, options, rule.memoryKey(written.name)),
      gives: ['match'],
    };
  }
  if (own === undefined || (place === 'while' && own.level !== true)) {
    refuse(written, own !== undefined, rule, place);
    return NEVER;
  }
  for (const gift of own.needs) {
    if (place === 'if' && !rule.gives(gift))
      findings.error(written.at, `"${own.name}" needs ${GIFT_NAMES[gift]}, and "${rule.trigger}" has none`);
  }
  const read = readOptions(own, written, findings, PLANNED.options.get(own.name));
  if (read === undefined) return NEVER;
  return { condition: own.compile(read.options, { rule, spot: written.spot }), gives: own.gives ?? [] };
}

/** Says why a word cannot stand here: it hears an event, wants conditions in it, is planned, or is none. */
function refuse(written: Written, isWord: boolean, rule: RuleSite, place: Place): void {
  const { findings, conditions } = rule.bot;
  const level = [...CONDITIONS.values()].filter((word) => word.level).map(({ name }) => name);
  const around = ['all', 'any', 'not'];
  if (around.includes(written.name))
    findings.error(written.at, `"${written.name}" stands around other conditions: {${written.name}: […]}`);
  else if (isWord || (place === 'while' && conditions.has(written.name)))
    findings.error(
      written.at,
      `"${written.name}" looks at an event, "while" can ask ${['publishing', ...level].join(', ')} alone`,
    );
  else {
    const words = place === 'if' ? [...CONDITIONS.keys(), ...conditions.keys()] : ['publishing', ...level];
    const known = new Map([...words, ...around].map((name) => [name, name]));
    lookUp('condition', written, known, PLANNED.condition, findings);
  }
}

/** A plugin's word may remember too, under keys of its own; so it sees each event just once. */
const pluginCondition = (plugin: ConditionDefinition, options: unknown, key: string): Condition => ({
  cost: Infinity,
  test: ({ event, room, remember, now }) => {
    const answer: unknown = plugin.test(event, {
      options,
      room,
      now,
      remember: {
        get: (name) => remember.get(`${key} ${name}`),
        set: (name, value, keep) => remember.set(`${key} ${name}`, value, keep),
        delete: (name) => remember.delete(`${key} ${name}`),
      },
    });
    return evidenceOf(plugin.name, answer);
  },
});

/** An answer that is neither yes nor no (a promise, say) is the plugin's mistake, and never a yes. */
function evidenceOf(name: string, answer: unknown): Evidence | undefined {
  if (answer === true) return HOLDS;
  if (answer === false || answer === undefined) return undefined;
  if (typeof answer === 'object' && answer !== null && 'match' in answer && typeof answer.match === 'string')
    return { match: answer.match };
  throw new TypeError(
    `The condition "${name}" answers true, false or {match: "what matched"}, at once; it gave ${answer === null ? 'null' : `a ${typeof answer}`}.`,
  );
}
