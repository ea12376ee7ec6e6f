import { z } from 'zod';
import type { ActionType } from '../domain/action.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { BoundRule } from '../plugin/bot.ts';
import type { DesiredResource, KeeperDefinition } from '../plugin/definitions.ts';
import { composition, transcoding } from '../plugin/index.ts';
import { compositionRule, transcodingRule } from './bot-schema.ts';
import { checkShape } from './check-shape.ts';
import { compileCondition } from './compile-condition.ts';
import { layoutOf } from './layout.ts';
import { PLANNED } from './planned.ts';
import { fingerprint, modeOf, ruleHead } from './rule-head.ts';
import type { RulePlace } from './rule-head.ts';
import { transcodingSpec } from './transcoding-option.ts';
import type { RuleSite } from './word.ts';

type Grace = { readonly start?: number | undefined; readonly stop?: number | undefined } | undefined;

/** What one of our keepers is made of. The view that it gets has the streams of its `in: {tags}` alone. */
interface Keeper {
  readonly rule: Parameters<typeof ruleHead>[0] & { readonly grace?: Grace };
  readonly mayDo: readonly ActionType[];
  readonly grace: { readonly startMs: number; readonly stopMs: number };
  desired(room: PlaceView): readonly DesiredResource[];
}

/** The keepers of the language by their word. */
const KEEPERS = {
  transcoding: (place: RulePlace): Keeper | undefined => {
    const rule = checkShape(transcodingRule, place.spot, place.bot.findings, PLANNED.key);
    return (
      rule && {
        rule,
        mayDo: ['transcoding.start', 'transcoding.stop'],
        grace: graceOf(rule.grace, { startMs: 0, stopMs: 30_000 }),
        desired: (room) =>
          [...room.streams.keys()].map((streamId) =>
            transcoding(streamId, transcodingSpec(rule.transcoding, streamId)),
          ),
      }
    );
  },
  composition: (place: RulePlace): Keeper | undefined => {
    const rule = checkShape(compositionRule, place.spot, place.bot.findings, PLANNED.key);
    return (
      rule && {
        rule,
        mayDo: ['composition.start', 'composition.update', 'composition.stop'],
        grace: graceOf(rule.grace, { startMs: 2_000, stopMs: 15_000 }),
        desired: (room) => {
          const inputs = layoutOf(room, rule);
          const { capabilities, tags } = rule;
          return inputs.length === 0 ? [] : [composition('composition', { inputs, capabilities, tags })];
        },
      }
    );
  },
};

/** The words that `keep` knows without a plugin. */
export const KEEPER_NAMES: readonly string[] = Object.keys(KEEPERS);

const graceOf = (given: Grace, usual: Keeper['grace']): Keeper['grace'] => ({
  startMs: given?.start ?? usual.startMs,
  stopMs: given?.stop ?? usual.stopMs,
});

/** Compiles `keep / while` with a word of the language; undefined when it is off, or wrong (with findings). */
export function compileKeeperRule(place: RulePlace, word: string): BoundRule | undefined {
  const { bot, file, spot } = place;
  const condition = spot.get('while');
  const holds = condition && compileCondition(condition, levelSite(bot), 'while').condition.holds;
  const keeper = Object.hasOwn(KEEPERS, word)
    ? KEEPERS[word as keyof typeof KEEPERS](place) // hasOwn says that it is one of them
    : undefined;
  if (keeper === undefined) return undefined;
  const head = ruleHead(keeper.rule, place);
  if (modeOf(keeper.rule, file) === 'off') return undefined;
  const definition: KeeperDefinition = {
    kind: 'keeper',
    name: `keep ${word}`,
    mayDo: keeper.mayDo,
    options: z.unknown(),
    grace: () => keeper.grace,
    desired: (room) => (holds?.(room) === false ? [] : keeper.desired(room)),
  };
  return {
    ...head,
    definition,
    options: undefined,
    mayDo: new Set(keeper.mayDo),
    fingerprint: fingerprint(bot.name, spot.value, file.in, file.defaults),
  };
}

/** A keeper hears no event: its conditions may ask the room alone. */
const levelSite = (bot: RulePlace['bot']): RuleSite => ({
  id: '',
  mode: 'shadow',
  bot,
  gives: () => false,
  trigger: 'keep',
  reason: '',
  remembers: false,
  noteStrike: () => {},
  memoryKey: (word) => word,
  alsoCount: () => {},
  useList: () => {},
  usePlugin: () => {},
});
