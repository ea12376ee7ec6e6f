import { join } from 'node:path';
import { filter, map, merge } from 'rxjs';
import type { Clock, Readiness } from '../engine/ports.ts';
import { createConsole } from '../console/console.ts';
import type { FeedItem } from '../console/feed-item.ts';
import type { Bus } from '../engine/bus.ts';
import { createPlatformClient } from '../platform/index.ts';
import type { Bot } from '../plugin/bot.ts';
import { httpOrigin } from '../platform/http-origin.ts';
import { isLoopback } from '../platform/loopback.ts';
import { openOperatorState } from '../store/operator-state.ts';
import { openStore } from '../store/open-store.ts';
import type { Configuration } from './configuration.ts';
import type { Log } from './log.ts';
import { logRuleFailures } from './log-rule-failures.ts';
import { createMetrics } from './metrics.ts';
import { redactedJournal } from './redacted-journal.ts';
import { journalIsGone } from './journal-is-gone.ts';
import { keepRegistered } from './keep-registered.ts';
import { outliveSizeLimit } from './outlive-size-limit.ts';
import { createRing } from './ring.ts';
import { createSteadyClock } from './steady-clock.ts';
import { systemClock } from './system-clock.ts';
import { tellClockWasSet } from './tell-clock-was-set.ts';
import { tellDowntime } from './tell-downtime.ts';
import { createTally, type Tally } from './tally.ts';
import { watchMemory } from './watch-memory.ts';
import type { Watchdog } from './watchdog.ts';

export interface DaemonParts {
  readonly configuration: Configuration;
  readonly bots: readonly Bot[];
  readonly log: Log;
  /** The machine's; the daemon makes its steady time of it. */
  readonly clock?: Clock;
  readonly watchdog?: Watchdog;
  /** What must not be written down with an error; may grow. */
  readonly secrets?: readonly string[];
}

/** A running daemon; everything that it holds is let go by `stop`. */
export interface Daemon {
  /** The real addresses, also where ports were 0. */
  readonly webhooks: string;
  readonly console: string;
  readonly bus: Bus;
  readonly tally: Tally;
  /** Swaps all bots between two events. */
  use(bots: readonly Bot[]): void;
  /** Takes nothing new, finishes what is under way, keeps the rest in the journal. */
  stop(): Promise<{ readonly left: number }>;
  /** For a daemon that cannot be trusted any more: nothing is written from now on, and so nothing new is done. */
  abandon(): Promise<void>;
}

/** How long a stop may take for actions that are under way. */
const DRAIN_MS = 10_000;
/** How long the ready line waits for the first registration. */
const FIRST_REGISTRATION_MS = 3_000;
const HISTORY = { olderThanMs: 30 * 24 * 3_600_000, maxRows: 5_000_000 };
const PRUNE_EVERY_MS = 3_600_000;
const MOST_CONNECTIONS = 1_024;

/** The composition root: the only place that knows every part. Rejects when a part cannot start; nothing runs then. */
export async function startDaemon({
  configuration,
  bots,
  log,
  clock: machine = systemClock,
  watchdog,
  secrets = [],
}: DaemonParts): Promise<Daemon> {
  const { platform, webhooks, egress } = configuration;
  /** What is open so far, newest last: closed in reverse, also when a later part fails to start. */
  const open: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of open.splice(0).toReversed()) {
      await close().catch((error: unknown) => log.error({ err: error }, 'a part did not close'));
    }
  };

  try {
    const metrics = createMetrics();
    const { count } = metrics;
    const clock = createSteadyClock(machine, tellClockWasSet(log, count));
    const readiness: Readiness[] = [];

    const stopOutliving = outliveSizeLimit();
    open.push(async () => stopOutliving());
    const gone = journalIsGone(configuration.data);
    const store = await openStore({ path: join(configuration.data, 'usher.db'), clock, log });
    open.push(() => store.close());
    const operator = await openOperatorState({ folder: configuration.data, clock, log });
    open.push(() => operator.close());
    if (gone) {
      await operator.keepQuietBefore(clock.now());
      log.warn(
        { data: configuration.data },
        'there is no journal beside operator.json: it begins anew, and what happened before now is not answered; ' +
          'if that was not meant, stop usher and put usher.db back',
      );
    }

    const client = createPlatformClient({
      baseUrl: platform.baseUrl,
      applicationId: platform.applicationId,
      secret: platform.secret,
      pathPrefix: platform.pathPrefix,
      videoPrefix: platform.videoPrefix,
      allowInsecure: platform.allowInsecure,
      deadlineMs: egress.deadline,
      // More than can ever be under way: a request that waits for a socket would spend its deadline there.
      connections: MOST_CONNECTIONS,
    });
    open.push(() => client.close());
    const ring = await createRing({
      configuration,
      bots,
      store: { ...store, journal: redactedJournal(store.journal, secrets) },
      operator,
      quietBefore: operator.quietBefore(),
      client,
      clock,
      wall: () => clock.wall(),
      log,
      count,
      ...(watchdog && { watchdog }),
    });
    watchdog?.counts(count);
    const { budget, engine, outbox, receiver, poller } = ring;
    const { bus } = engine;
    const tally = createTally(bus);
    const failures = logRuleFailures(bus, log);
    open.push(async () => failures.unsubscribe());

    open.push(() => engine.stop());
    const memory = watchMemory({ engine, clock, log });
    open.push(async () => memory.stop());
    const [newest] = await store.journal.read({ backward: true, limit: 1 });
    open.push(() => outbox.drain(0));
    await ring.resume();

    const { port } = await receiver.start();
    open.push(() => receiver.stop());
    const local = httpOrigin(webhooks.host, port) + webhooks.path;
    const publicUrl = webhooks.publicUrl?.replace(/:0(?=[/?]|$)/, `:${port}`) ?? local;
    ring.hearing.told(!webhooks.register);
    const registration = webhooks.register
      ? keepRegistered({
          client,
          applicationId: platform.applicationId,
          publicUrl,
          operator,
          clock,
          log,
          onTold: (isTold) => ring.hearing.told(isTold),
        })
      : undefined;
    open.push(async () => registration?.stop());
    const recovered = bus.of('source.recovered').subscribe(({ name }) => {
      if (name === poller.readiness.name) registration?.renew();
    });
    open.push(async () => recovered.unsubscribe());

    readiness.push(
      store.readiness,
      operator.readiness,
      receiver.readiness,
      poller.readiness,
      outbox.readiness,
    );
    if (registration) readiness.push(registration.readiness);
    metrics.gauge(
      'request_rate',
      'Requests per second that the platform bears, as found.',
      () => budget.rate,
    );
    metrics.gauge('outbox_open', 'Actions without an outcome.', () => outbox.stats().open);
    metrics.gauge('outbox_in_doubt', 'Actions whose fate is unknown.', () => outbox.stats().inDoubt);
    metrics.gauge('rules_quarantined', 'Rules that rest.', () => engine.stats().quarantined.length);
    metrics.gauge('inbox_events', 'Events that wait for rules.', () => engine.stats().undone);
    metrics.gauge('inbox_load', 'How full the inbox is, from 0 to 1.', () => engine.load);
    metrics.gauge('places', 'Rooms and channels that are open.', () => poller.stats().places);
    const counted = bus.outcomes$.subscribe(({ actionType, outcome }) =>
      count('outcomes', { type: actionType, outcome }),
    );
    open.push(async () => counted.unsubscribe());

    const feed$ = merge(
      bus.events$.pipe(
        filter(({ type }) => type !== 'action.settled'),
        map((event): FeedItem => ({ kind: 'event', event })),
      ),
      bus.outcomes$.pipe(map((event): FeedItem => ({ kind: 'outcome', event }))),
    );
    const served = await createConsole({
      ...configuration.console,
      readiness,
      metrics,
      feed$,
      clock,
      count,
    });
    open.push(() => served.close());
    if (!isLoopback(configuration.console.host))
      log.warn(
        { host: configuration.console.host },
        'other machines reach the console, and it speaks plain HTTP: put something with TLS before it, or its token can be read on the way',
      );

    // A platform that is down, or hangs, is asked again while the rest works.
    await Promise.race([
      registration?.first,
      new Promise<void>((resolve) => clock.after(FIRST_REGISTRATION_MS, resolve)),
    ]);
    void tellDowntime({ intake: engine, clock, log, lastSeenAt: newest?.event.seenAt });
    poller.start();
    const cancelPrune = pruneNowAndThen();

    return {
      webhooks: local,
      console: served.url,
      bus,
      tally,
      use: (next) => ring.use(next),
      abandon: () => store.close(),
      async stop() {
        cancelPrune();
        registration?.stop();
        await Promise.all([poller.stop(), receiver.stop()]);
        await engine.drain(DRAIN_MS);
        const { left } = await outbox.drain(DRAIN_MS);
        await engine.drain(DRAIN_MS);
        await closeAll();
        return { left };
      },
    };

    function pruneNowAndThen(): () => void {
      let cancel = clock.after(PRUNE_EVERY_MS, prune);
      function prune(): void {
        store
          .prune(HISTORY)
          .then((pruned) => log.info(pruned, 'old history removed'))
          .catch((error: unknown) =>
            log.warn({ err: error }, 'old history could not be removed; tried again in an hour'),
          );
        cancel = clock.after(PRUNE_EVERY_MS, prune);
      }
      return () => cancel();
    }
  } catch (error) {
    await closeAll();
    throw error;
  }
}
