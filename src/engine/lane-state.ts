import type { LaneKey } from '../domain/lane-key.ts';
import type { Plain } from '../domain/memory.ts';
import { placeKey, placeOfKey, type PlaceRef } from '../domain/place.ts';
import type { Publisher } from '../domain/place-view.ts';
import { MemoryParts } from './memory-parts.ts';
import { PartMap, type PartChanges } from './part-map.ts';
import { publishersOf } from './publishers-of.ts';
import { RecentMessages } from './recent-messages.ts';
import type {
  Expiring,
  Fired,
  KeptResource,
  KnownMember,
  KnownPlace,
  KnownStream,
  MessageRun,
  Mute,
  Pause,
  Spent,
  Stray,
  Strikes,
  Tombstone,
  Watch,
  Wish,
} from './records.ts';

/** How often what has expired is thrown away. */
const SWEEP_MS = 60_000;

/** How long it is kept all the same: a backlog's events are that much older than the moment they are handled. */
const SLACK_MS = 600_000;

/** How many tombstones a place keeps at most, however young. */
const MOST_TOMBSTONES = 4_096;

/**
 * Everything that a lane knows, in records of plain data. It changes only inside a turn of its lane; between turns it
 * is what the last commit wrote, or is about to write.
 */
export class LaneState {
  readonly lane: LaneKey;
  readonly ref: PlaceRef | undefined;
  readonly #changes: PartChanges = { parts: {} };
  readonly #kinds = new Map<string, PartMap<object>>();

  readonly #places: PartMap<KnownPlace> = this.#kind('place');
  readonly members: PartMap<KnownMember> = this.#kind('member');
  readonly streams: PartMap<KnownStream> = this.#kind('stream');
  readonly tombstones: PartMap<Tombstone> = this.#kind('tombstone');
  readonly memory: MemoryParts = this.#keep('memory', new MemoryParts(this.#changes));
  readonly strikes: PartMap<Strikes> = this.#kind('strikes');
  readonly mutes: PartMap<Mute> = this.#kind('mute');
  readonly watches: PartMap<Watch> = this.#kind('watch');
  readonly cooldowns: PartMap<Expiring> = this.#kind('cooldown');
  readonly budgets: PartMap<Spent> = this.#kind('budget');
  /** Streams that an action of ours is about to end, so that no second one is sent. */
  readonly doomed: PartMap<Expiring> = this.#kind('doomed');
  readonly resources: PartMap<KeptResource> = this.#kind('resource');
  readonly wishes: PartMap<Wish> = this.#kind('wish');
  readonly pauses: PartMap<Pause> = this.#kind('pause');
  readonly strays: PartMap<Stray> = this.#kind('stray');
  readonly fired: PartMap<Fired> = this.#kind('fired');
  readonly messages: RecentMessages;

  /** When this daemon learnt of the newest event, ms since 1970: what waits (graces, pauses) counts by it. */
  time = 0;
  /** The time of the event at hand: windows, mutes and strikes count by it, so that a backlog looks like its time. */
  now = 0;
  #facts: KnownPlace | undefined;
  #publishers: readonly Publisher[] | undefined;
  #sweptAt = 0;

  constructor(lane: LaneKey, parts: Readonly<Record<string, Plain>> = {}) {
    this.lane = lane;
    this.ref = placeOfKey(lane);
    const runs: PartMap<MessageRun> = this.#kind('messages');
    for (const [name, record] of Object.entries(parts)) {
      const slash = name.indexOf('/');
      this.#kinds.get(name.slice(0, slash))?.restore(name.slice(slash + 1), record);
    }
    this.#facts = this.#places.get('');
    this.messages = new RecentMessages(this.ref && placeKey(this.ref), runs);
  }

  #kind<T extends object>(kind: string): PartMap<T> {
    return this.#keep(kind, new PartMap<T>(kind, this.#changes));
  }

  #keep<M extends PartMap<object>>(kind: string, map: M): M {
    this.#kinds.set(kind, map);
    return map;
  }

  /** The place as it was last listed; undefined before. */
  get facts(): KnownPlace | undefined {
    return this.#facts;
  }

  listed(place: KnownPlace): void {
    this.#places.set('', place);
    this.#facts = place;
  }

  /** Who publishes; computed again when `mediaChanged` was called. */
  get publishers(): readonly Publisher[] {
    this.#publishers ??= publishersOf(this.streams.values(), this.members);
    return this.#publishers;
  }

  mediaChanged(): void {
    this.#publishers = undefined;
  }

  /** The parts that changed since this was last asked. */
  takeChanges(): Readonly<Record<string, Plain | null>> {
    this.messages.flush();
    const { parts } = this.#changes;
    this.#changes.parts = {};
    return parts;
  }

  /** Forgets what has expired, now and then. */
  sweep(): void {
    if (this.time - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = this.time;
    const expiring: readonly PartMap<Expiring>[] = [
      this.tombstones,
      this.memory,
      this.strikes,
      this.mutes,
      this.watches,
      this.cooldowns,
      this.budgets,
      this.doomed,
      this.pauses,
      this.strays,
    ];
    for (const map of expiring) {
      for (const [key, { until }] of map) if (until + SLACK_MS <= this.time) map.delete(key);
    }
    let excess = this.tombstones.size - MOST_TOMBSTONES;
    for (const id of this.tombstones.keys()) {
      if ((excess -= 1) < 0) break;
      this.tombstones.delete(id);
    }
  }
}
