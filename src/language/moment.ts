import type { UsherEvent } from '../domain/event.ts';
import type { Memory } from '../domain/memory.ts';
import type { PlaceView } from '../domain/place-view.ts';
import { subjectOf } from './subject.ts';
import type { Subject } from './subject.ts';

/** One event as the conditions and actions of a rule look at it; what costs something is found out once, when asked. */
export interface Moment {
  readonly event: UsherEvent;
  readonly room: PlaceView;
  readonly remember: Memory;
  /** The event's own time, ms since 1970. */
  readonly now: number;
  subject(): Subject | undefined;
}

export function momentOf(
  event: UsherEvent,
  context: { readonly room: PlaceView; readonly remember: Memory; readonly now: number },
): Moment {
  let subject: Subject | undefined;
  let asked = false;
  return {
    event,
    room: context.room,
    remember: context.remember,
    now: context.now,
    subject() {
      if (!asked) {
        subject = subjectOf(event, context.room);
        asked = true;
      }
      return subject;
    },
  };
}
