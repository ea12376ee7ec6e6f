import { formatDuration } from '../domain/duration.ts';
import { withId } from '../domain/event-id.ts';
import type { SourceDegraded, SourceRecovered } from '../domain/event.ts';
import type { Clock, Intake, Log } from '../engine/ports.ts';
import { describeError } from '../errors.ts';

/** interface.md, "Events", rule 3: nine retries, three seconds doubling. */
const RETRIED_FOR_MS = 1_533_000;

/**
 * After a silence that is longer than the platform's retries, notifications may be gone for good: a stream that came
 * and went, playlists. Nobody can know, so it is told, as a source that was away; polls find what is still so. Never
 * rejects.
 */
export async function tellDowntime(of: {
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** When the newest event of the lives before was written down, ms since 1970; undefined in the first. */
  readonly lastSeenAt: number | undefined;
}): Promise<void> {
  const { intake, clock, log, lastSeenAt } = of;
  const now = clock.now();
  if (lastSeenAt === undefined || now - lastSeenAt <= RETRIED_FOR_MS) return;
  const silence = formatDuration(Math.round((now - lastSeenAt) / 60_000) * 60_000);
  const reason =
    `Nothing was written down for ${silence}. If the daemon was down, notifications that the platform gave up on ` +
    `(after ${RETRIED_FOR_MS / 1_000} s) are lost; polls find what is still so.`;
  log.warn({ since: new Date(lastSeenAt).toISOString() }, reason);
  const about = { at: now, seenAt: now, source: 'daemon', name: 'webhooks' } as const;
  try {
    await intake.accept([
      withId<SourceDegraded>({ type: 'source.degraded', ...about, at: lastSeenAt, reason }),
      withId<SourceRecovered>({ type: 'source.recovered', ...about }),
    ]);
  } catch (error) {
    log.warn({ error: describeError(error) }, 'The silence was not journaled.');
  }
}
