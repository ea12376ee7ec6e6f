import type { EventId } from '../domain/ids.ts';
import { UsherError } from '../errors.ts';

/** The rule does not get this event: the daemon died of the two together. */
export class SetAside extends UsherError {
  constructor(event: EventId) {
    super(
      'set-aside',
      'Set aside: at this event the rule blocked the event loop until the watchdog ended the daemon, twice. ' +
        'Other rules get the event; this one gets the next. Look for a loop that does not end.',
      { data: { event } },
    );
  }
}
