import { z } from 'zod';
import type { ActionDraft } from '../../domain/action.ts';
import { compileTemplate } from '../compile-template.ts';
import type { Template } from '../compile-template.ts';
import { durationOption } from '../duration-option.ts';
import type { Occasion } from '../occasion.ts';
import type { ActionWord, Site } from '../word.ts';

const line = z.string().min(1);
const options = z.union([line, z.strictObject({ text: line, cooldown: durationOption().optional() })]);
type MessageOptions = z.infer<typeof options>;

/** Rooms have a chat, channels have none: an event of a channel is answered by nothing. */
function send(template: Template, occasion: Occasion): readonly ActionDraft[] {
  const { event } = occasion.moment;
  if (event.place?.kind !== 'room') return [];
  const text = template(occasion);
  if (text.trim() === '') return [];
  return [{ type: 'message.send', place: event.place, text, tags: [], because: occasion.because }];
}

function compileMessage(given: MessageOptions, { rule, spot }: Site) {
  const { text, cooldown } = typeof given === 'string' ? { text: given, cooldown: undefined } : given;
  const template = compileTemplate(spot.get('text') ?? spot, text, {
    audience: 'room',
    gives: (gift) => rule.gives(gift),
    mostBytes: rule.bot.messageBytes,
    offends: (words) => rule.bot.text.offends(words),
    findings: rule.bot.findings,
  });
  if (cooldown === undefined) return (occasion: Occasion) => send(template, occasion);
  if (!rule.remembers)
    rule.bot.findings.error(
      spot.get('cooldown') ?? spot,
      'a ladder has no cooldown: put it on the rule that strikes',
    );
  const key = rule.memoryKey('cooldown');
  return (occasion: Occasion) => {
    const { remember } = occasion.moment;
    if (remember.get(key) !== undefined) return [];
    const drafts = send(template, occasion);
    if (drafts.length > 0) remember.set(key, true, { forMs: cooldown });
    return drafts;
  };
}

const shared = {
  options,
  does: ['message.send'],
  compile: compileMessage,
} as const;

export const reply: ActionWord<MessageOptions> = {
  ...shared,
  name: 'reply',
  summary:
    'Answers a member in the room, as `as`. With `{text, cooldown}` at most once in that time and room. What is filled in is cut at the limit of a message.',
  example: 'then: [{reply: "{{member.name}}: links are for presenters here."}]',
  needs: ['chat', 'member'],
};

export const announce: ActionWord<MessageOptions> = {
  ...shared,
  name: 'announce',
  summary: 'Says something to the whole room, whatever the event was; `{text, cooldown}` as for `reply`.',
  example: 'then: [{announce: "Welcome to {{room.alias}}."}]',
  needs: ['chat'],
};
