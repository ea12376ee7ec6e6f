import { z } from 'zod';
import type { EventType, UsherEvent } from '../../domain/event.ts';
import { durationOption } from '../duration-option.ts';
import type { Evidence } from '../evidence.ts';
import type { Moment } from '../moment.ts';
import type { ConditionWord } from '../word.ts';
import { lookIntoWindow, noteInWindow } from '../window.ts';
import type { Seen } from '../window.ts';

/** What may be counted: plain events, told by their own word. */
const COUNTABLE = {
  message: 'message.posted',
  'member.joined': 'member.joined',
  'member.left': 'member.left',
  'member.changed': 'member.changed',
  'stream.started': 'stream.started',
  'stream.ended': 'stream.ended',
  'stream.live': 'stream.live',
  'stream.onDemand': 'stream.onDemand',
  publishers: 'publishers.changed',
} as const satisfies Record<string, EventType>;
type Countable = keyof typeof COUNTABLE;
const NAMES = Object.keys(COUNTABLE) as [Countable, ...Countable[]]; // the record's own keys, and there are some

const options = z
  .strictObject({
    count: z.int().min(2).max(1_000),
    within: durationOption().refine((ms) => ms > 0, 'must be more than 0'),
    per: z.enum(['member', 'room']).optional(),
    event: z.enum(NAMES).optional(),
    distinct: z.literal('member').optional(),
  })
  .refine(
    ({ per, distinct }) => distinct === undefined || per !== 'member',
    'distinct members are counted per room: write per: room',
  );
type RateOptions = z.infer<typeof options>;

export const rate: ConditionWord<RateOptions> = {
  name: 'rate',
  summary:
    'At least `count` events `within` a sliding window of event time, `per: member` (the default where there is one) or `per: room`; `distinct: member` counts each member once. It counts the events for which the other conditions beside it hold, whatever their order; `event` counts another kind of event instead, all of them.',
  example: 'if: {rate: {count: 6, within: 8s, per: member}}',
  options,
  needs: [],
  gives: ['number'],
  compile: (given, site) => {
    const { rule, spot } = site;
    const key = rule.memoryKey('rate');
    const per = given.per ?? (given.distinct === undefined && rule.gives('member') ? 'member' : 'room');
    if (per === 'member' && !rule.gives('member'))
      rule.bot.findings.error(
        spot,
        `per: member needs a member, and "${rule.trigger}" has none: write per: room`,
      );
    const other = given.event !== undefined && given.event !== rule.trigger ? given.event : undefined;
    const window: Window = { ...given, key, per };
    if (other !== undefined) {
      rule.alsoCount({
        hears: [COUNTABLE[other]],
        count: (moment) => {
          if (isForeign(moment.event, COUNTABLE[other])) note(moment, window);
        },
      });
    }
    return {
      cost: Infinity,
      test: (moment) => {
        const seen = other === undefined ? note(moment, window) : look(moment, window);
        return seen.length >= given.count ? evidenceOf(seen) : undefined;
      },
    };
  },
};

interface Window {
  readonly key: string;
  readonly per: 'member' | 'room';
  readonly count: number;
  readonly within: number;
  readonly distinct?: 'member' | undefined;
}

/** Where a moment belongs in the window; undefined when nobody is known to count it for. */
function keyOf(moment: Moment, { key, per }: Window): string | undefined {
  if (per === 'room') return key;
  const subject = moment.subject();
  return subject && `${key} ${subject.key}`;
}

function note(moment: Moment, window: Window): readonly Seen[] {
  const key = keyOf(moment, window);
  const distinct = window.distinct !== undefined;
  const who = distinct ? moment.subject()?.key : '';
  if (key === undefined || who === undefined) return [];
  return noteInWindow(moment.remember, key, moment.event, {
    who,
    withinMs: window.within,
    keep: window.count,
    distinct,
  });
}

function look(moment: Moment, window: Window): readonly Seen[] {
  const key = keyOf(moment, window);
  return key === undefined ? [] : lookIntoWindow(moment.remember, key, moment.now, window.within);
}

const evidenceOf = (seen: readonly Seen[]): Evidence => ({
  because: seen.map(({ id }) => id),
  messageIds: seen.flatMap(({ messageId }) => (messageId === '' ? [] : [messageId])),
  count: seen.length,
});

/** An event of that type that is not our own doing and not a start after its end. */
const isForeign = (event: UsherEvent, type: EventType): boolean =>
  event.type === type && !('own' in event && event.own) && !('late' in event && event.late);
