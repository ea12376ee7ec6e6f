import type { Bot } from '../plugin/bot.ts';
import type { Clock, Count, Log, OperatorState } from '../engine/ports.ts';
import { createRequestBudget } from '../egress/budget.ts';
import { createNoticeDispatcher } from '../egress/notice-dispatcher.ts';
import { createOutbox, type Outbox } from '../egress/outbox.ts';
import { createPerform } from '../egress/perform.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { RequestBudget } from '../engine/ports.ts';
import { createPoller, type Poller } from '../ingress/poller.ts';
import { createWebhookReceiver, type WebhookReceiver } from '../ingress/webhook-receiver.ts';
import type { PlatformClient } from '../platform/index.ts';
import type { Store } from '../store/store.ts';
import type { Configuration } from './configuration.ts';
import { actionHistory } from './action-history.ts';
import { createHearing, type Hearing } from './hearing.ts';
import { OwnActions } from './own-actions.ts';
import type { Watchdog } from './watchdog.ts';

export interface RingParts {
  readonly configuration: Pick<
    Configuration,
    'platform' | 'webhooks' | 'polling' | 'egress' | 'catchUp' | 'inbox'
  >;
  readonly bots: readonly Bot[];
  readonly store: Pick<Store, 'journal' | 'lanes' | 'actions'>;
  readonly operator: OperatorState;
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** What the machine's clock shows, for the age of notifications; the clock's time when absent. */
  readonly wall?: () => number;
  readonly log: Log;
  readonly count: Count;
  /** As `EngineOptions` says. */
  readonly quietBefore?: number | undefined;
  /** From 0 to below 1, for jitter. */
  readonly random?: () => number;
  readonly watchdog?: Pick<Watchdog, 'whereabouts' | 'deaths'>;
}

/** The way of an event from the platform through the house and back, without its doors: nothing listens or starts yet. */
export interface Ring {
  readonly budget: RequestBudget;
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly receiver: WebhookReceiver;
  readonly poller: Poller;
  readonly hearing: Pick<Hearing, 'told'>;
  /** Handles what was left undone, before anything new comes in. */
  resume(): Promise<void>;
  /** Swaps all bots between two events. */
  use(bots: readonly Bot[]): void;
}

/** Ties ingress, engine and egress together on a store and a platform; the simulation runs the same ring. */
export async function createRing(parts: RingParts): Promise<Ring> {
  const { configuration, bots, store, operator, client, clock, log, count, random = Math.random } = parts;
  const { watchdog } = parts;
  const { platform, webhooks, polling, egress } = configuration;
  const budget = createRequestBudget({ clock, maxPerSecond: polling.budget });
  const own = new OwnActions();
  await own.recall(store.journal);
  for (const { action, lane, mode } of await store.actions.open()) own.decided({ action, lane, mode });
  /** The bots in force; notices look up their addresses here. */
  let inForce = bots;

  const hearing = createHearing(clock);
  const outbox = createOutbox({
    actions: store.actions,
    perform: createPerform({
      client,
      operator,
      clock,
      webhookOf: (bot, target) => inForce.find(({ name }) => name === bot)?.notify.get(target)?.webhook,
      history: actionHistory(store.journal),
      notices: createNoticeDispatcher({ allowPrivate: egress.allowPrivate }),
    }),
    budget,
    clock,
    deadlineMs: egress.deadline,
    graceMs: egress.grace,
    onDoubt: egress.onDoubt,
    hearingSinceMs: () => hearing.sinceMs(),
    onSettled: (journaled) => engine.deliver([journaled]),
    log,
    count,
    random,
  });
  const engine = createEngine({
    journal: store.journal,
    lanes: store.lanes,
    sink: outbox,
    clock,
    bans: () => operator.bans(),
    bots,
    catchUpMs: configuration.catchUp,
    inbox: { events: configuration.inbox.events, bytes: configuration.inbox.megabytes * 1024 * 1024 },
    quietBefore: parts.quietBefore,
    count,
    log,
    ...(watchdog && { whereabouts: watchdog.whereabouts, deaths: watchdog.deaths }),
  });
  engine.bus.decisions$.subscribe((record) => own.decided(record));
  engine.bus.outcomes$.subscribe((event) => own.settled(event));
  // Where a notification tells of something, a poll sees more of it.
  engine.bus.events$.subscribe(({ source, place }) => {
    if (source === 'webhook' && place) poller.hint(place);
  });

  const listener = createWebhookReceiver(
    {
      host: webhooks.host,
      port: webhooks.port,
      path: webhooks.path,
      publicPath: webhooks.publicPath,
      secrets: [platform.secret, ...webhooks.secrets],
      headerPrefix: platform.headerPrefix,
      maxAgeMs: webhooks.maxAge,
    },
    {
      intake: engine,
      operator,
      clock,
      wall: parts.wall,
      log,
      count: hearing.counting(count),
      knowsAction: own.knows,
      onNotified: (event) => poller.notified(event),
    },
  );
  const receiver = hearing.observe(listener);
  const poller = createPoller({
    client,
    intake: engine,
    directory: engine.directory,
    budget,
    clock,
    settings: {
      rooms: { everyMs: polling.rooms.every },
      channels: { everyMs: polling.channels.every },
      members: { minMs: polling.members.min, maxMs: polling.members.max },
      messages: { minMs: polling.messages.min, maxMs: polling.messages.max },
      catchUpMs: configuration.catchUp,
    },
    log,
    count,
    random,
    load: () => engine.load,
    knowsAction: own.knows,
  });

  return {
    budget,
    engine,
    outbox,
    receiver,
    poller,
    hearing,
    async resume() {
      await engine.start();
      await outbox.start();
    },
    use(next) {
      inForce = next;
      engine.use(next);
    },
  };
}
