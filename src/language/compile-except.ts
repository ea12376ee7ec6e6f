import { z } from 'zod';
import { MEMBER_STATES, ROLES } from '../domain/member.ts';
import type { BoundRule } from '../plugin/bot.ts';
import { foldName } from './fold-name.ts';
import { anyGlob } from './glob.ts';
import { oneOrMore } from './one-or-more.ts';
import { subjectOf } from './subject.ts';

/** Whom a rule passes over: any of these is enough. */
export const exceptOption = z.strictObject({
  role: oneOrMore(z.enum(ROLES)).optional(),
  state: oneOrMore(z.enum(MEMBER_STATES)).optional(),
  name: oneOrMore(z.string().min(1).max(256)).optional(),
});

/** Only somebody in the member list is passed over: what a message says of its sender exempts nobody. */
export function compileExcept({
  role,
  state,
  name,
}: z.infer<typeof exceptOption>): BoundRule['except'] | undefined {
  if (role === undefined && state === undefined && name === undefined) return undefined;
  const named = name && anyGlob(name.map(foldName));
  return (event, room) => {
    const subject = subjectOf(event, room);
    return (
      subject?.standing === 'verified' &&
      ((subject.role !== undefined && role?.includes(subject.role) === true) ||
        (subject.state !== undefined && state?.includes(subject.state) === true) ||
        named?.(foldName(subject.screenName)) === true)
    );
  };
}
