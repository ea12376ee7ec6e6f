import { setMaxListeners } from 'node:events';
import type { UsherEvent } from '../domain/event.ts';
import { placeKey, ROOM_TYPES, type PlaceRef } from '../domain/place.ts';
import type { Clock, Count, Intake, Log, PlaceDirectory, Readiness, RequestBudget } from '../engine/ports.ts';
import { createLostNotifications } from './lost-notifications.ts';
import type { KnowsAction } from './own-action.ts';
import { createPlacePolls, listName, type PlaceList } from './place-polls.ts';
import { failureReason, pollFailure, type PollFailure } from './poll-failure.ts';
import { pollMembers } from './poll-members.ts';
import { pollMessages } from './poll-messages.ts';
import { createPollPump } from './poll-pump.ts';
import { createPollRequests } from './poll-requests.ts';
import type { PolledPlace } from './polled-place.ts';
import type { PollerSettings } from './poller-settings.ts';
import type { PollingClient } from './polling-client.ts';
import { createSourceHealth } from './source-health.ts';
import { createStrangers } from './strangers.ts';
import { createStrideScheduler, type PollEntry } from './stride-scheduler.ts';

export interface PollerParts {
  readonly client: PollingClient;
  readonly intake: Intake;
  readonly directory: PlaceDirectory;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly settings: PollerSettings;
  readonly log: Log;
  /** `poll.done {kind, result}`, `poll.found {kind}`, `notification.foundByPollOnly`. */
  readonly count: Count;
  /** From 0 to 1, seeded in tests. */
  readonly random: () => number;
  /** How full the inbox is, from 0 to 1; polls leave the upper half of it to those who cannot wait. */
  readonly load?: (() => number) | undefined;
  readonly knowsAction?: KnowsAction | undefined;
}

export interface Poller {
  /** Begins with the places that were open when the daemon stopped; the first poll of each reconciles. */
  start(): void;
  /** Something happened there: look soon. An unknown place has the lists read. */
  hint(place: PlaceRef): void;
  /** A notification told of this event, so that none is missing for it. */
  notified(event: UsherEvent): void;
  /** Starts no more polls, gives up what runs, resolves when nothing does. */
  stop(): Promise<void>;
  readonly readiness: Readiness;
  stats(): { readonly places: number; readonly planned: number; readonly inFlight: number };
}

type Work =
  | { readonly kind: 'list'; readonly list: PlaceList; failures: number }
  | { readonly kind: 'members' | 'messages'; readonly place: PolledPlace; failures: number };

/** What a poll found; `againAt`: when it is to be looked at again at the latest. */
interface Finding {
  readonly found: number;
  readonly requests?: number;
  readonly againAt?: number | undefined;
}

const BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 60_000;
/** The platform is well and it was ours to fail: no reason to stay away for long. */
const NOT_DURABLE_BACK_OFF_MS = 2_000;
/** A lane whose oldest event waits for so long is behind: a poll compared with it would find the same again. */
const BEHIND_MS = 1_000;
/** For how long a failed write is told: where polls find nothing new, none could show that it is over. */
const FAULT_TOLD_MS = 15_000;
/** Events that are written down in one piece at most: so many always fit while the inbox is half empty. */
const PIECE = 64;

/** Polls everything that notifications do not tell, or may lose, as the budget allows (docs/architecture.md, "Ingress"). */
export function createPoller(parts: PollerParts): Poller {
  const { client, intake, directory, budget, clock, settings, log, count, random } = parts;
  const { headStartMs = 5_000, catchUpMs = 300_000, failuresInARow = 5 } = settings;
  const abort = new AbortController();
  // Every poll under way listens to it.
  setMaxListeners(0, abort.signal);
  const requests = createPollRequests({
    client,
    budget,
    signal: abort.signal,
    streamUriPattern: settings.streamUriPattern,
  });
  const scheduler = createStrideScheduler<Work>({ rate: () => budget.rate, random });
  const lists = new Map<string, PollEntry<Work>>();
  const entries = new Map<PolledPlace, readonly PollEntry<Work>[]>();
  const unread = new Set<string>();
  const healthOf = (name: string) => createSourceHealth({ name, failuresInARow, intake, clock, log });
  const health = healthOf('polling');
  /** Why polls could not be written down, and when (monotonic). */
  let notDurable: { readonly reason: string; readonly at: number } | undefined;
  const writing: Intake = {
    async accept(events) {
      try {
        const fates: ('new' | 'duplicate')[] = [];
        for (let from = 0; from < events.length; from += PIECE) {
          fates.push(...(await intake.accept(events.slice(from, from + PIECE))));
        }
        notDurable = undefined;
        return fates;
      } catch (error) {
        notDurable = { reason: failureReason(error), at: clock.monotonic() };
        throw error;
      }
    },
  };

  const lost = createLostNotifications({
    clock,
    withinMs: settings.lostAfterMs ?? 60_000,
    lost: (event) => {
      count('notification.foundByPollOnly');
      log.warn(
        { event },
        'Only a poll told of this: its notification was lost. Check the callback and its path.',
      );
    },
  });

  const places = createPlacePolls({
    intake: writing,
    clock,
    opened(place) {
      entries.set(place, [
        scheduler.add({ kind: 'members', place, failures: 0 }, settings.members),
        ...(place.kind === 'room'
          ? [scheduler.add({ kind: 'messages', place, failures: 0 }, settings.messages)]
          : []),
      ]);
    },
    closed(place) {
      for (const entry of entries.get(place) ?? []) scheduler.remove(entry);
      entries.delete(place);
    },
    missing: (place) => hintPlace(place, clock.now()),
  });

  const hintPlace = (place: PolledPlace, at: number) => {
    for (const entry of entries.get(place) ?? []) scheduler.hint(entry, at);
  };

  const hintLists = (kind: PlaceRef['kind']) => {
    for (const entry of lists.values()) {
      if (entry.work.kind === 'list' && entry.work.list.kind === kind) scheduler.hint(entry, clock.now());
    }
  };

  const readMembers = (place: PolledPlace) => {
    const turn = place.membersTurn.then(() =>
      pollMembers(place, {
        fetch: () => requests.readMembers(place.ref),
        intake: writing,
        directory,
        clock,
        headStartMs,
        foundStream: (id) => lost.foundByPoll(id),
      }),
    );
    // Whoever asked for it hears of a failure; whoever comes next only waits for the end.
    place.membersTurn = turn.catch(() => undefined);
    return turn;
  };

  const strangers = createStrangers({
    directory,
    clock,
    log,
    async readMembers(place) {
      await budget.take('hinted', abort.signal);
      await readMembers(place);
    },
  });

  const behind = ({ ref }: PolledPlace): boolean =>
    clock.now() - (directory.waitingSince(ref) ?? Infinity) > BEHIND_MS;
  const held = (): boolean => (parts.load?.() ?? 0) > 0.5;

  const pollOf = async (work: Work): Promise<Finding> => {
    if (work.kind === 'list') {
      const requestedAt = clock.now();
      const found = await places.compare(work.list, await requests.readList(work.list), requestedAt);
      unread.delete(listName(work.list));
      return { found };
    }
    const { place } = work;
    if (work.kind === 'members') return readMembers(place);
    let pages = 0;
    const found = await pollMessages(place, {
      fetch: async (range) => {
        // The pump paid for the first page; the others are known to be worth it.
        if ((pages += 1) > 1) await budget.take('hinted', abort.signal);
        return requests.readMessages(place.id, range);
      },
      intake: writing,
      directory,
      clock,
      log,
      catchUpMs,
      knows: parts.knowsAction,
      meetAuthors: (messages) => strangers.meet(place, messages),
      mayReadOn: () => !behind(place) && !held(),
    });
    return { found, requests: pages };
  };

  const failed = async (work: Work, error: unknown): Promise<PollFailure> => {
    const failure = pollFailure(error);
    const reason = failureReason(error);
    count('poll.done', { kind: work.kind, result: failure });
    work.failures += 1;
    if (failure === 'not-durable') return failure;
    if (failure === 'bug') log.error({ error: reason, kind: work.kind }, 'A poll failed by a fault of ours.');
    if (failure === 'not-found' && work.kind !== 'list') {
      hintLists(work.place.kind);
      await places.notFound(work.place).catch((again: unknown) => {
        log.warn(
          { place: work.place.ref, error: failureReason(again) },
          'A closed place waits for its next poll.',
        );
      });
      return failure;
    }
    health.failed(reason);
    // While nothing answers at all, the places have nothing of their own to tell.
    if (work.kind === 'list' || health.reason() !== undefined || failure === 'limited') return failure;
    work.place.health ??= healthOf(`polling ${placeKey(work.place)}`);
    work.place.health.failed(reason);
    return failure;
  };

  const succeeded = (work: Work, found: number) => {
    count('poll.done', { kind: work.kind, result: 'ok' });
    if (found > 0) count('poll.found', { kind: work.kind });
    work.failures = 0;
    health.succeeded();
    if (work.kind !== 'list') work.place.health?.succeeded();
  };

  const run = async (entry: PollEntry<Work>): Promise<void> => {
    const { work } = entry;
    let finding: Finding | undefined;
    let failure: PollFailure | undefined;
    try {
      finding = await pollOf(work);
      succeeded(work, finding.found);
    } catch (error) {
      if (abort.signal.aborted) return;
      failure = await failed(work, error);
    }
    const now = clock.now();
    if (finding) {
      scheduler.finish(entry, now, finding.found, 0, finding.requests);
      if (finding.againAt !== undefined) scheduler.hint(entry, finding.againAt);
    } else {
      const most = failure === 'not-durable' ? NOT_DURABLE_BACK_OFF_MS : MAX_BACK_OFF_MS;
      const backOffMs = Math.min(most, BACK_OFF_MS * 2 ** (work.failures - 1));
      scheduler.finish(entry, now, null, backOffMs * (0.5 + random()));
    }
  };

  const pump = createPollPump({
    scheduler,
    budget,
    clock,
    concurrency: settings.concurrency ?? 256,
    signal: abort.signal,
    held,
    ready: ({ work }) => work.kind === 'list' || !behind(work.place),
    run,
  });

  return {
    start() {
      const all: readonly PlaceList[] = [
        ...ROOM_TYPES.map((type) => ({ kind: 'room', type }) as const),
        { kind: 'channel' },
      ];
      for (const list of all) {
        const rhythm = list.kind === 'room' ? settings.rooms : settings.channels;
        lists.set(listName(list), scheduler.add({ kind: 'list', list, failures: 0 }, rhythm));
        unread.add(listName(list));
      }
      places.restore(directory.places());
      pump.wake();
    },

    hint(ref) {
      const place = places.get(ref);
      if (place) hintPlace(place, clock.now());
      else hintLists(ref.kind);
      pump.wake();
    },

    notified: (event) => lost.notified(event.id),

    async stop() {
      abort.abort(new Error('Polling was stopped.'));
      lost.stop();
      await pump.stop();
    },

    readiness: {
      name: 'polling',
      reason() {
        if (notDurable && clock.monotonic() - notDurable.at < FAULT_TOLD_MS)
          return `What polls find cannot be written down: ${notDurable.reason}`;
        if (health.reason() !== undefined) return `The platform does not answer polls: ${health.reason()}`;
        return unread.size === 0 ? undefined : `Not read yet: ${[...unread].join(', ')}.`;
      },
    },

    stats: () => ({ places: places.size, planned: scheduler.size, inFlight: pump.inFlight }),
  };
}
