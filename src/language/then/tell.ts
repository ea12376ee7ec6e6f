import { z } from 'zod';
import { compileTemplate } from '../compile-template.ts';
import type { Template } from '../compile-template.ts';
import { didYouMean } from '../did-you-mean.ts';
import type { Spot } from '../spot.ts';
import type { ActionWord, RuleSite } from '../word.ts';

/** Enough for any note, small enough for any pager. */
const MOST_BYTES = 4_096;

const staffTemplate = (rule: RuleSite, spot: Spot, text: string): Template =>
  compileTemplate(spot, text, {
    audience: 'staff',
    gives: (gift) => rule.gives(gift),
    mostBytes: MOST_BYTES,
    offends: () => false,
    findings: rule.bot.findings,
  });

const notifyOptions = z.union([
  z.string().min(1),
  z.strictObject({ to: z.string().min(1), text: z.string().min(1).optional() }),
]);

export const notify: ActionWord<z.infer<typeof notifyOptions>> = {
  name: 'notify',
  summary:
    'Tells people outside, by a name under `notify`; without a `text` it says which rule acted, where, on whom and why.',
  example: 'then: [{notify: {to: mods, text: "{{member.name}} in {{room.alias}}: {{message.text}}"}}]',
  options: notifyOptions,
  needs: [],
  does: ['notify.send'],
  compile: (given, { rule, spot }) => {
    const { to, text } = typeof given === 'string' ? { to: given, text: undefined } : given;
    if (!rule.bot.notify.has(to))
      rule.bot.findings.error(
        spot.get('to') ?? spot,
        `unknown notify target "${to}"${didYouMean(to, rule.bot.notify) || ': define it under "notify"'}`,
      );
    const template = staffTemplate(rule, spot.get('text') ?? spot, text ?? usualText(rule));
    return (occasion) => [
      {
        type: 'notify.send',
        target: to,
        text: template(occasion),
        ...(occasion.moment.event.place && { place: occasion.moment.event.place }),
        because: occasion.because,
      },
    ];
  },
};

function usualText(rule: RuleSite): string {
  const who = rule.gives('member') ? ': {{member.name}}' : '';
  const what = rule.gives('message')
    ? ': {{message.text}}'
    : rule.gives('outcome')
      ? ': {{action}} {{detail}}'
      : '';
  return `{{bot}}/{{rule}} in {{room.alias}}${who} ({{reason}})${what}`;
}

export const log: ActionWord<string> = {
  name: 'log',
  summary: 'Writes a line into the log and the journal.',
  example: 'then: [{log: "{{member.name}} raised a hand in {{room.alias}}"}]',
  options: z.string().min(1),
  needs: [],
  does: ['log.write'],
  compile: (text, { rule, spot }) => {
    const template = staffTemplate(rule, spot, text);
    return (occasion) => [
      {
        type: 'log.write',
        text: template(occasion),
        ...(occasion.moment.event.place && { place: occasion.moment.event.place }),
        because: occasion.because,
      },
    ];
  },
};
