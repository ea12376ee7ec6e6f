import { z } from 'zod';
import { MEMBER_STATES, ROLES } from '../../domain/member.ts';
import { skeleton } from '../../text/index.ts';
import { HOLDS } from '../evidence.ts';
import { anyGlob } from '../glob.ts';
import { foldName } from '../fold-name.ts';
import { oneOrMore } from '../one-or-more.ts';
import type { ConditionWord } from '../word.ts';

const options = z
  .strictObject({
    role: oneOrMore(z.enum(ROLES)).optional(),
    state: oneOrMore(z.enum(MEMBER_STATES)).optional(),
    name: oneOrMore(z.string().min(1).max(256)).optional(),
    verified: z.boolean().optional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'give at least one of role, state, name and verified');

/** The skeleton of what stands between the wildcards. */
const skeletonGlob = (glob: string): string =>
  glob
    .split(/([*?])/)
    .map((part) => (part === '*' || part === '?' ? part : skeleton(part)))
    .join('');

export const member: ConditionWord<z.infer<typeof options>> = {
  name: 'member',
  summary:
    'About the author, member or publisher: `role` and `state` by the member list (nobody unlisted has any), `name` by globs in any case and without lookalikes, `verified` when the member list knows the session under that name.',
  example: 'if: {member: {role: [Audience, Participant], name: "*bot*", verified: false}}',
  options,
  needs: ['member'],
  compile: ({ role, state, name, verified }) => {
    const plain = name && anyGlob(name.map(foldName));
    const alike = name && anyGlob(name.map(skeletonGlob));
    return {
      cost: 5,
      test: (moment) => {
        const subject = moment.subject();
        if (subject === undefined) return undefined;
        const named =
          plain === undefined ||
          plain(foldName(subject.screenName)) ||
          alike?.(skeleton(subject.screenName)) === true;
        const fits =
          (role === undefined || (subject.role !== undefined && role.includes(subject.role))) &&
          (state === undefined || (subject.state !== undefined && state.includes(subject.state))) &&
          (verified === undefined || (subject.standing === 'verified') === verified) &&
          named;
        return fits ? HOLDS : undefined;
      },
    };
  },
};
