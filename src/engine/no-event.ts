import type { UsherEvent } from '../domain/event.ts';

/** Stands where no turn has been yet. */
export const NO_EVENT: UsherEvent = {
  type: 'clock.ticked',
  id: '',
  at: 0,
  seenAt: 0,
  source: 'clock',
  lane: 'daemon',
  dueAt: 0,
};
