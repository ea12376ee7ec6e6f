import { filter, Subject, type Observable } from 'rxjs';
import type { ActionSettled, EventOf, EventType, UsherEvent } from '../domain/event.ts';
import { describeError } from '../errors.ts';
import { GuardedObservable } from '../plugin/guarded-observable.ts';
import type { ActionRecord, Log } from './ports.ts';

/** Everything that passes, for the feed, plugins of the daemon and metrics. Subscribers only look; none holds up a lane. */
export interface Bus {
  /** Each event once, when it is durable, in order of arrival. */
  readonly events$: Observable<UsherEvent>;
  /** Each action once, when its decision is durable. */
  readonly decisions$: Observable<ActionRecord>;
  /** What became of actions: those that the outbox settled, and those that the decision itself did. */
  readonly outcomes$: Observable<ActionSettled>;
  of<T extends EventType>(type: T): Observable<EventOf<T>>;
}

/** The bus with its inputs. A subscriber that throws is dropped and logged; it never reaches the process. */
export function createBus(log: Log): Bus & {
  event(event: UsherEvent): void;
  decision(record: ActionRecord): void;
  outcome(outcome: ActionSettled): void;
} {
  const [events, decisions, outcomes] = [
    new Subject<UsherEvent>(),
    new Subject<ActionRecord>(),
    new Subject<ActionSettled>(),
  ];
  const guarded = <T>(name: string, source: Observable<T>): Observable<T> =>
    new GuardedObservable(source, (error) => {
      log.error(
        { bus: name, error: describeError(error) },
        'A subscriber of the bus threw; it stays subscribed.',
      );
    });
  /** What a handler throws is caught with it; what its teardown throws comes out here. */
  const pass = <T>(name: string, subject: Subject<T>, value: T): void => {
    try {
      subject.next(value);
    } catch (error) {
      log.error(
        { bus: name, error: describeError(error) },
        'A subscriber of the bus threw while it ended; others may have missed this.',
      );
    }
  };
  const events$ = guarded('events', events);
  return {
    events$,
    decisions$: guarded('decisions', decisions),
    outcomes$: guarded('outcomes', outcomes),
    of: <T extends EventType>(type: T) =>
      // Same as `Extract`: the filter lets through exactly those whose `type` it is.
      events$.pipe(filter((event: UsherEvent): event is EventOf<T> & UsherEvent => event.type === type)),
    event: (event) => {
      if (events.observed) pass('events', events, event);
    },
    decision: (record) => pass('decisions', decisions, record),
    outcome: (outcome) => pass('outcomes', outcomes, outcome),
  };
}
