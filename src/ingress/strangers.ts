import type { Clock, Log, PlaceDirectory } from '../engine/ports.ts';
import type { Message } from '../platform/index.ts';
import { failureReason } from './poll-failure.ts';
import type { PolledPlace } from './polled-place.ts';

/** Looked up so recently, a session that no member list holds is not looked up again. */
const KNOWN_STRANGER_MS = 30_000;
const MOST_STRANGERS = 10_000;

export interface Strangers {
  /** Reads the member list when one of the authors is not in it as last read. Never rejects. */
  meet(place: PolledPlace, messages: readonly Message[]): Promise<void>;
}

/**
 * Somebody who came in after the last member poll and writes at once is met before the message is told: else a
 * moderator would be judged as anybody, and nobody could be banned by a verified session.
 */
export function createStrangers(of: {
  readonly directory: Pick<PlaceDirectory, 'view'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly readMembers: (place: PolledPlace) => Promise<unknown>;
}): Strangers {
  const { directory, clock, log, readMembers } = of;
  /** `<place> <session>` and until when it need not be asked for, oldest first. */
  const known = new Map<string, number>();

  const forget = (now: number) => {
    for (const [key, until] of known) {
      if (until > now && known.size <= MOST_STRANGERS) return;
      known.delete(key);
    }
  };

  return {
    async meet(place, messages) {
      const now = clock.monotonic();
      forget(now);
      const members = directory.view(place.ref)?.members;
      const unmet = new Set(
        messages.flatMap(({ from: { sessionId } }) =>
          sessionId && !members?.has(sessionId) && !known.has(`${place.id} ${sessionId}`) ? [sessionId] : [],
        ),
      );
      if (unmet.size === 0) return;
      try {
        await readMembers(place);
      } catch (error) {
        // A slur must not wait for a list: its author is told as claimed.
        log.warn(
          { place: place.ref, error: failureReason(error) },
          'Authors could not be looked up in the member list; their messages are told without it.',
        );
      }
      for (const sessionId of unmet) known.set(`${place.id} ${sessionId}`, now + KNOWN_STRANGER_MS);
    },
  };
}
