import { z } from 'zod';
import { MEMBER_STATES, ROLES } from '../../domain/member.ts';
import type { MemberState, Role } from '../../domain/member.ts';
import type { TriggerWord } from '../word.ts';

const gives = ['chat', 'member'] as const;

export const memberJoined: TriggerWord = {
  name: 'member.joined',
  summary: 'Somebody appeared in a member list.',
  example: 'when: member.joined',
  options: z.null(),
  bare: null,
  hears: ['member.joined'],
  gives,
  compile: () => ({}),
};

export const memberLeft: TriggerWord = {
  name: 'member.left',
  summary: 'Somebody is gone from a member list.',
  example: 'when: member.left',
  options: z.null(),
  bare: null,
  hears: ['member.left'],
  gives,
  compile: () => ({}),
};

const narrowed = z.strictObject({ state: z.enum(MEMBER_STATES).optional(), role: z.enum(ROLES).optional() });

export const memberChanged: TriggerWord<z.infer<typeof narrowed>> = {
  name: 'member.changed',
  summary:
    "A member's role, state, name or streams changed; `state` and `role` narrow it to a change into that one.",
  example: 'when: {member.changed: {state: HandRaised, role: Audience}}',
  options: narrowed,
  bare: {},
  hears: ['member.changed'],
  gives,
  compile: ({ state, role }) => ({
    occurs: (event) =>
      event.type === 'member.changed' &&
      (state === undefined || event.changes.state?.to === state) &&
      (role === undefined || event.changes.role?.to === role),
  }),
};

export const memberState: TriggerWord<MemberState> = {
  name: 'member.state',
  summary: "A member's state changed into this one.",
  example: 'when: {member.state: HandRaised}',
  options: z.enum(MEMBER_STATES),
  hears: ['member.changed'],
  gives,
  compile: (state) => ({
    occurs: (event) => event.type === 'member.changed' && event.changes.state?.to === state,
  }),
};

export const memberRole: TriggerWord<Role> = {
  name: 'member.role',
  summary: "A member's role changed into this one.",
  example: 'when: {member.role: Presenter}',
  options: z.enum(ROLES),
  hears: ['member.changed'],
  gives,
  compile: (role) => ({
    occurs: (event) => event.type === 'member.changed' && event.changes.role?.to === role,
  }),
};
