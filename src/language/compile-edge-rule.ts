import { z } from 'zod';
import type { ActionType } from '../domain/action.ts';
import type { EventId, EventType, UsherEvent } from '../domain/event.ts';
import type { BoundRule } from '../plugin/bot.ts';
import type { DecideContext, RuleDefinition } from '../plugin/definitions.ts';
import { edgeRule } from './bot-schema.ts';
import { checkShape } from './check-shape.ts';
import { compileActions } from './compile-actions.ts';
import { compileCondition } from './compile-condition.ts';
import { compileTrigger } from './compile-trigger.ts';
import { HOLDS } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import type { Gift } from './gift.ts';
import { momentOf } from './moment.ts';
import type { Moment } from './moment.ts';
import { PLANNED } from './planned.ts';
import { codeOf } from './compile-plugin-rule.ts';
import { fingerprint, modeOf, ruleHead } from './rule-head.ts';
import type { RulePlace } from './rule-head.ts';
import { warnOfSilence } from './warn-of-silence.ts';
import type { Counter, RuleSite } from './word.ts';

/** Compiles `when / if / then`; undefined when it is off, or wrong (with findings). */
export function compileEdgeRule(place: RulePlace): BoundRule | undefined {
  const { bot, file, spot } = place;
  const rule = checkShape(edgeRule, spot, bot.findings, PLANNED.key);
  const [when, then, condition] = [spot.get('when'), spot.get('then'), spot.get('if')];
  if (when === undefined) return undefined;
  const id = rule?.id ?? '';
  const heard = compileTrigger(when, id, bot);
  if (heard === undefined) return undefined;

  const mode = rule === undefined ? 'shadow' : modeOf(rule, file);
  const counters: Counter[] = [];
  const lists = new Set<string>();
  const plugins = new Set<string>();
  const strikes: { readonly ladder: string; readonly points: number }[] = [];
  const gifts = new Set<Gift>(heard.word.gives);
  if (gifts.has('member') && bot.ladders.size > 0) gifts.add('points');
  let memories = 0;
  const reason = rule?.note ?? id;
  const site: RuleSite = {
    id,
    mode: mode === 'enforce' ? 'enforce' : 'shadow',
    bot,
    gives: (gift) => gifts.has(gift),
    trigger: heard.word.name,
    reason,
    remembers: true,
    noteStrike: (ladder, points) => void strikes.push({ ladder, points }),
    memoryKey: (word) => `${word}:${memories++}`,
    alsoCount: (counter) => void counters.push(counter),
    useList: (name) => void lists.add(name),
    usePlugin: (plugin) => void plugins.add(codeOf(plugin)),
  };
  const tree = condition && compileCondition(condition, site, 'if');
  for (const gift of tree?.gives ?? []) gifts.add(gift);
  const actions = then && compileActions(then, site, 'rule');
  if (rule === undefined || actions === undefined) return undefined;
  const head = ruleHead(rule, place);
  warnOfSilence(rule, place, heard.word);
  if (mode === 'off') return undefined;

  const ladder = strikes[0]?.ladder ?? [...bot.ladders.keys()][0];
  const points = strikes.reduce((sum, one) => (one.ladder === ladder ? sum + one.points : sum), 0);
  const hears = [
    ...new Set<EventType>([...heard.word.hears, ...counters.flatMap((counter) => counter.hears)]),
  ];
  const mayDo = new Set<ActionType>([
    ...actions.does,
    ...strikes.flatMap((one) => [...(bot.ladders.get(one.ladder)?.does ?? [])]),
  ]);
  const { occurs, schedule } = heard.trigger;

  const decide = (event: UsherEvent, context: DecideContext<unknown>) => {
    const moment = momentOf(event, context);
    for (const counter of counters) if (counter.hears.includes(event.type)) counter.count(moment);
    if (!heard.word.hears.includes(event.type) || occurs?.(event) === false) return [];
    const evidence = tree === undefined ? HOLDS : tree.condition.test(moment);
    if (evidence === undefined) return [];
    return actions.perform({
      moment,
      evidence,
      bot: bot.name,
      rule: id,
      reason,
      strikes: () => pointsOf(moment, ladder) + points,
      because: reasonsOf(event, evidence),
    });
  };
  const definition: RuleDefinition = {
    kind: 'rule',
    name: `when ${heard.word.name}`,
    hears,
    mayDo: [...mayDo],
    options: z.unknown(),
    decide,
  };
  return {
    ...head,
    definition,
    options: undefined,
    mayDo,
    ...(schedule && { schedule }),
    fingerprint: fingerprint(
      bot.name,
      spot.value,
      file.in,
      file.defaults,
      [...lists].map((name) => bot.lists.get(name)),
      strikes.map((one) => file.strikes[one.ladder]),
      [...plugins],
    ),
  };
}

function pointsOf(moment: Moment, ladder: string | undefined): number {
  const who = moment.subject();
  return who === undefined || ladder === undefined ? 0 : moment.room.strikes(ladder, who.key);
}

/** The earlier events of a rate and the one at hand, which for a derived event is the one behind it. */
function reasonsOf(event: UsherEvent, { because }: Evidence): readonly EventId[] {
  const own = event.type === 'publishers.changed' ? event.cause : event.id;
  return because === undefined ? [own] : [...new Set([...because, own])];
}
