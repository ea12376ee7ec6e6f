import type { ActionType } from '../domain/action.ts';
import type { Memory } from '../domain/memory.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { Ladder, Mode, StrikeContext } from '../plugin/bot.ts';
import type { BotScope, LadderFacts } from './bot-scope.ts';
import type { LadderOptions } from './bot-schema.ts';
import { compileActions } from './compile-actions.ts';
import { HOLDS } from './evidence.ts';
import type { Gift } from './gift.ts';
import type { Moment } from './moment.ts';
import type { Spot } from './spot.ts';
import type { Subject } from './subject.ts';
import type { RuleSite } from './word.ts';

/** Ladders remember nothing of their own: points are the engine's, cooldowns the rule's. */
const NOTHING: Memory = { get: () => undefined, set: () => {}, delete: () => {} };

/** What a strike always has; the message only when the rule that strikes hears one. */
const GIVEN: ReadonlySet<Gift> = new Set<Gift>(['chat', 'member', 'points', 'message']);

/** Compiles one ladder under `strikes`; what is wrong with its steps is among the findings. */
export function compileLadder(
  name: string,
  options: LadderOptions,
  spot: Spot,
  bot: BotScope,
  mode: Mode,
): { readonly ladder: Ladder; readonly facts: LadderFacts } {
  const needs = new Map<Gift, string>();
  const does = new Set<ActionType>();
  const site: RuleSite = {
    id: name,
    mode,
    bot,
    gives: (gift) => GIVEN.has(gift),
    trigger: 'a ladder',
    reason: '',
    remembers: false,
    noteStrike: () => {},
    memoryKey: (word) => word,
    alsoCount: () => {},
    useList: () => {},
    usePlugin: () => {},
  };
  const steps = options.ladder.map(({ at }, index) => {
    const todo = spot.get('ladder')?.get(index)?.get('do');
    if (todo === undefined) return { at, act: () => [] };
    const actions = compileActions(todo, site, 'ladder');
    for (const type of actions.does) does.add(type);
    const message = actions.needs.get('message');
    if (message !== undefined) needs.set('message', message);
    return {
      at,
      act: (context: StrikeContext) =>
        actions.perform({
          moment: momentOfStrike(context),
          evidence: HOLDS,
          bot: bot.name,
          rule: context.rule,
          reason: context.reason,
          strikes: () => context.strikes,
          because: [],
        }),
    };
  });
  const { decay } = options;
  return {
    ladder: { name, steps, ...(decay && { decay: { points: decay.points, everyMs: decay.every } }) },
    facts: { needs, does },
  };
}

/** The moment of the event that struck, about the member that was struck. */
function momentOfStrike({ event, room, member, screenName }: StrikeContext): Moment {
  return {
    event,
    room,
    now: event.at,
    remember: NOTHING,
    subject: () => struck(room, member, screenName),
  };
}

function struck(room: PlaceView, key: StrikeContext['member'], screenName: string): Subject {
  const member = room.member(key);
  return member === undefined
    ? { key, screenName, standing: 'claimed' }
    : { key, screenName: member.screenName, standing: 'verified', role: member.role, state: member.state };
}
