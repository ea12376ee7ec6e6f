import type { Subscription } from 'rxjs';
import type { Bus } from '../engine/bus.ts';
import type { Log } from './log.ts';

/** Tells in the log which rule threw, on which event, and which one rests because of it: the journal alone tells nobody. */
export function logRuleFailures(bus: Pick<Bus, 'of'>, log: Pick<Log, 'warn' | 'error'>): Subscription {
  const failed = bus.of('rule.failed').subscribe(({ bot, rule, event, error }) => {
    log.warn({ bot, rule, event, error }, 'a rule threw: it lost this event, the others go on');
  });
  failed.add(
    bus.of('rule.quarantined').subscribe(({ bot, rule, reason }) => {
      log.error(
        { bot, rule, error: reason },
        'a rule throws again and again and rests now: it is tried again later, or at once when it is changed',
      );
    }),
  );
  return failed;
}
