import type { SourceDegraded, SourceRecovered } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import type { Clock, Intake, Log } from '../engine/ports.ts';
import { describeError } from '../errors.ts';

/** Whether a source gives facts: degraded after so many failures in a row, recovered with the first success. */
export interface SourceHealth {
  succeeded(): void;
  failed(reason: string): void;
  /** Why it is degraded; undefined while it is not. */
  reason(): string | undefined;
}

export function createSourceHealth(of: {
  readonly name: string;
  readonly failuresInARow: number;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly log: Log;
}): SourceHealth {
  const { name, failuresInARow, intake, clock, log } = of;
  let failures = 0;
  let degraded: string | undefined;

  const tell = (event: SourceDegraded | SourceRecovered) => {
    intake.accept([event]).catch((error: unknown) => {
      log.error({ source: name, error: describeError(error) }, `The event ${event.type} was not journaled.`);
    });
  };
  const seen = () => {
    const now = clock.now();
    return { at: now, seenAt: now, source: 'daemon', name } as const;
  };

  return {
    succeeded() {
      failures = 0;
      if (degraded === undefined) return;
      degraded = undefined;
      log.info({ source: name }, 'The source gives facts again.');
      tell(withId<SourceRecovered>({ type: 'source.recovered', ...seen() }));
    },
    failed(reason) {
      failures += 1;
      if (degraded !== undefined) {
        degraded = reason;
      } else if (failures >= failuresInARow) {
        degraded = reason;
        log.warn({ source: name, reason }, 'The source gives no facts.');
        tell(withId<SourceDegraded>({ type: 'source.degraded', ...seen(), reason }));
      }
    },
    reason: () => degraded,
  };
}
