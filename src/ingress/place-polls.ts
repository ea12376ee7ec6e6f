import type { ChannelClosed, ChannelOpened, EventSource, RoomClosed, RoomOpened } from '../domain/event.ts';
import { withId } from '../domain/event-id.ts';
import { placeKey, type PlaceFacts, type PlaceKey, type PlaceRef, type RoomType } from '../domain/place.ts';
import type { Clock, Intake } from '../engine/ports.ts';
import { diffPlaces } from './diff-places.ts';
import { polledPlace, type PolledPlace } from './polled-place.ts';

/** One list of places: rooms of one type, or the channels. */
export type PlaceList = { readonly kind: 'room'; readonly type: RoomType } | { readonly kind: 'channel' };

export interface PlacePolls {
  /** Adds what was open when the daemon stopped, without an event. */
  restore(places: readonly PlaceFacts[]): void;
  get(place: PlaceRef): PolledPlace | undefined;
  /** Compares a complete list with what is known and tells the difference; resolves with the number of new events. */
  compare(list: PlaceList, listed: readonly PlaceFacts[], requestedAt: number): Promise<number>;
  /** A poll of the place answered 404; it is closed if a list had left it out already. */
  notFound(place: PolledPlace): Promise<void>;
  readonly size: number;
}

/** The open places as the lists show them. Knows no turns and no requests: `opened`, `closed` and `missing` tell those who do. */
export function createPlacePolls(of: {
  readonly intake: Intake;
  readonly clock: Clock;
  readonly opened: (place: PolledPlace) => void;
  readonly closed: (place: PolledPlace) => void;
  /** A list left it out: a poll of it will tell whether it is still there. */
  readonly missing: (place: PolledPlace) => void;
}): PlacePolls {
  const { intake, clock } = of;
  const places = new Map<PlaceKey, PolledPlace>();
  /** Lists read since the start: what the first of each tells happened while we were away. */
  const listsRead = new Set<string>();

  const open = (facts: PlaceFacts, source: 'reconcile' | 'poll') => {
    const place = polledPlace(facts, clock.now(), source);
    places.set(placeKey(place), place);
    of.opened(place);
  };

  const close = (place: PolledPlace) => {
    if (places.delete(placeKey(place))) of.closed(place);
  };

  const closing = (place: PolledPlace, source: EventSource) => {
    const base = { ...seen(clock.now(), source), place: place.ref, facts: factsOf(place) };
    return place.kind === 'room'
      ? withId<RoomClosed>({ type: 'room.closed', ...base })
      : withId<ChannelClosed>({ type: 'channel.closed', ...base });
  };

  return {
    get size() {
      return places.size;
    },
    get: (place) => places.get(placeKey(place)),

    restore(restored) {
      for (const facts of restored) if (!places.has(placeKey(facts))) open(facts, 'reconcile');
    },

    async compare(list, listed, requestedAt) {
      const name = listName(list);
      const source = listsRead.has(name) ? 'poll' : 'reconcile';
      const { opened, closed, missing } = diffPlaces({
        known: [...places.values()].filter((place) => isOf(list, place)),
        listed,
        requestedAt,
        learntAt: (place) => place.learntAt,
        doubted: (place) => place.doubt !== undefined,
      });
      const base = seen(clock.now(), source);
      const events = [
        ...opened.map((facts) => {
          const about = { ...base, place: { kind: facts.kind, id: facts.id }, facts };
          return facts.kind === 'room'
            ? withId<RoomOpened>({ type: 'room.opened', ...about })
            : withId<ChannelOpened>({ type: 'channel.opened', ...about });
        }),
        ...closed.map((place) => closing(place, source)),
      ];
      const fates = events.length === 0 ? [] : await intake.accept(events);
      listsRead.add(name);
      for (const { kind, id } of listed) {
        const place = places.get(placeKey({ kind, id }));
        if (place) place.doubt = undefined;
      }
      for (const facts of opened) open(facts, source);
      for (const place of closed) close(place);
      for (const place of missing) {
        place.doubt = 'unlisted';
        of.missing(place);
      }
      return fates.filter((fate) => fate === 'new').length;
    },

    async notFound(place) {
      if (place.doubt !== 'unlisted') {
        place.doubt = 'not-found';
        return;
      }
      await intake.accept([closing(place, 'poll')]);
      close(place);
    },
  };
}

export const listName = (list: PlaceList): string =>
  list.kind === 'room' ? `rooms ${list.type}` : 'channels';

const isOf = (list: PlaceList, place: PlaceFacts): boolean =>
  list.kind === place.kind && (list.kind === 'channel' || list.type === place.type);

const seen = (now: number, source: EventSource) => ({ at: now, seenAt: now, source });

const factsOf = ({ kind, id, alias, name, type }: PlaceFacts): PlaceFacts => ({
  kind,
  id,
  alias,
  name,
  ...(type === undefined ? {} : { type }),
});
