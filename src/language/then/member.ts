import { z } from 'zod';
import { durationOption } from '../duration-option.ts';
import { GIFT_NAMES } from '../gift.ts';
import { reasonOption } from '../reason-option.ts';
import { resolveLadder } from '../resolve-ladder.ts';
import type { ActionWord } from '../word.ts';

const positive = durationOption().refine((ms) => ms > 0, 'must be more than 0');

export const mute: ActionWord<number> = {
  name: 'mute',
  summary: 'Hides each further message of the member for that time. Advisory, as `hide`.',
  example: 'then: [{mute: 10m}]',
  options: positive,
  needs: ['member'],
  does: ['member.mute'],
  compile:
    (forMs) =>
    ({ moment, because }) => {
      const subject = moment.subject();
      const { place } = moment.event;
      return subject && place
        ? [
            {
              type: 'member.mute',
              place,
              member: subject.key,
              screenName: subject.screenName,
              forMs,
              because,
            },
          ]
        : [];
    },
};

const banOptions = z.union([positive, z.strictObject({ for: positive, reason: reasonOption.optional() })]);

export const ban: ActionWord<z.infer<typeof banOptions>> = {
  name: 'ban',
  summary:
    'Bans the member from all places of the bot for that time: each publish is ended, each message hidden, and token servers that ask are told. `{for, reason}` gives a reason. Emulated: the platform knows no bans.',
  example: 'then: [{ban: 24h}]',
  options: banOptions,
  needs: ['member'],
  does: ['member.ban'],
  compile: (given) => {
    const { for: forMs, reason } = typeof given === 'number' ? { for: given, reason: undefined } : given;
    return (occasion) => {
      const { moment, because } = occasion;
      const subject = moment.subject();
      const { place } = moment.event;
      if (subject === undefined || place === undefined) return [];
      const { key: member, screenName } = subject;
      return [
        { type: 'member.ban', place, member, screenName, forMs, reason: reason ?? occasion.reason, because },
      ];
    };
  },
};

const strikeOptions = z.strictObject({
  ladder: z.string().optional(),
  points: z.int().min(1).max(1_000).default(1),
  reason: reasonOption.optional(),
});

export const strike: ActionWord<z.infer<typeof strikeOptions>> = {
  name: 'strike',
  summary:
    "Gives the member points on a ladder; the step that they reach is taken. `ladder` may be left out where there is only one; `reason` is the rule's note if not given.",
  example: 'then: [{strike: {ladder: chat, points: 1, reason: slurs}}]',
  options: strikeOptions,
  bare: {},
  needs: ['member'],
  does: ['member.strike'],
  rulesOnly: true,
  compile: ({ ladder: named, points, reason }, { rule, spot }) => {
    const ladder = resolveLadder(rule.bot, named, spot);
    if (ladder !== undefined) rule.noteStrike(ladder, points);
    for (const [gift, word] of rule.bot.ladders.get(ladder ?? '')?.needs ?? []) {
      if (!rule.gives(gift))
        rule.bot.findings.error(
          spot,
          `the ladder "${ladder}" may ${word}, which needs ${GIFT_NAMES[gift]}, and "${rule.trigger}" has none`,
        );
    }
    return (occasion) => {
      const { moment, because } = occasion;
      const subject = moment.subject();
      const { place } = moment.event;
      if (subject === undefined || place === undefined || ladder === undefined) return [];
      return [
        {
          type: 'member.strike',
          place,
          member: subject.key,
          screenName: subject.screenName,
          ladder,
          points,
          reason: reason ?? occasion.reason,
          because,
        },
      ];
    };
  },
};
