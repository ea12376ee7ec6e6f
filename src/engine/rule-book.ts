import { EVENT_TYPES, type EventType } from '../domain/event.ts';
import type { PlaceFacts } from '../domain/place.ts';
import type { Bot, BoundRule } from '../plugin/bot.ts';
import type { EdgeRule, KeeperRule, Placed } from './edge-rule.ts';
import type { Whereabouts } from './ports.ts';
import { ruleIdentity } from './rule-identity.ts';

const NO_RULES: readonly EdgeRule[] = [];

/** The rules that act in one place, by what they hear: a rule that does not hear an event costs that event nothing. */
export interface PlaceRules {
  hearing(type: EventType): readonly EdgeRule[];
  readonly streaming: readonly EdgeRule[];
  readonly keepers: readonly KeeperRule[];
  /** Bots whose scope covers the place. */
  readonly bots: readonly Bot[];
}

/** All bots of one moment, indexed; a reload makes a new book and lanes turn to it between two events. */
export interface RuleBook {
  readonly bots: readonly Bot[];
  /** All rules, as `ruleIdentity` writes them. */
  readonly identities: readonly string[];
  readonly keepers: readonly KeeperRule[];
  readonly scheduled: readonly EdgeRule[];
  /** What acts in a place; none acts outside any place. */
  in(place: PlaceFacts): PlaceRules;
}

export function ruleBook(bots: readonly Bot[], whereabouts: Pick<Whereabouts, 'number'>): RuleBook {
  const byType = new Map<EventType, EdgeRule[]>(EVENT_TYPES.map((type) => [type, []]));
  const edges: EdgeRule[] = [];
  const keepers: KeeperRule[] = [];
  for (const bot of bots) {
    for (const bound of bot.rules) {
      const { definition } = bound;
      const stamp = { bot: bot.name, rule: bound.id, fingerprint: bound.fingerprint };
      const placed = <D>(one: D): Placed<D> => ({
        bot,
        bound,
        definition: one,
        key: `${bot.name}/${bound.id}`,
        namespace: `${bound.mode}/${bot.name}/${bound.id}`,
        identity: ruleIdentity(stamp),
        number: whereabouts.number(stamp),
      });
      if (definition.kind === 'keeper') keepers.push(placed(definition));
      else {
        const edge = placed(definition);
        edges.push(edge);
        for (const type of definition.hears) byType.get(type)?.push(edge);
      }
    }
  }
  return {
    bots,
    identities: [...edges, ...keepers].map(({ identity }) => identity),
    keepers,
    scheduled: edges.filter(({ bound }) => bound.schedule !== undefined),
    in(place) {
      const covering = new Map<BoundRule, boolean>();
      const covers = ({ bot, bound }: Placed<unknown>): boolean => {
        let covered = covering.get(bound);
        if (covered === undefined) {
          covered = bot.scope.covers(place) && bound.scope.covers(place);
          covering.set(bound, covered);
        }
        return covered;
      };
      const hearing = new Map<EventType, readonly EdgeRule[]>();
      return {
        hearing(type) {
          let rules = hearing.get(type);
          if (rules === undefined) {
            const heard = (byType.get(type) ?? []).filter(covers);
            rules = heard.length === 0 ? NO_RULES : heard;
            hearing.set(type, rules);
          }
          return rules;
        },
        streaming: edges.filter((edge) => edge.definition.rule !== undefined && covers(edge)),
        keepers: keepers.filter(covers),
        bots: bots.filter((bot) => bot.scope.covers(place)),
      };
    },
  };
}
