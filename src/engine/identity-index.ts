import type { UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import { placeKey, type PlaceKey, type PlaceRef } from '../domain/place.ts';
import { splitTag } from '../platform/split-tag.ts';
import type { LaneState } from './lane-state.ts';

/**
 * Finds the lane of an event: its place, else what its tags, its stream, or its session are known to belong to. Learns
 * from each event that it is shown and from the states that a start loads.
 */
export class IdentityIndex {
  readonly #byStream = new Map<string, PlaceKey>();
  readonly #bySession = new Map<string, PlaceKey>();
  readonly #byAlias = new Map<string, PlaceKey>();
  readonly #rooms = new Map<string, PlaceKey>();
  readonly #channels = new Map<string, PlaceKey>();

  laneOf(event: UsherEvent): LaneKey {
    if (event.type === 'message.posted') return this.#keyOf(event.place);
    if (event.type === 'clock.ticked') return event.lane;
    // Never back into the lane that it tells of: a rule about failures could fail for ever.
    if (event.type === 'rule.failed' || event.type === 'rule.quarantined') return 'daemon';
    if (event.place) return this.#keyOf(event.place);
    if (!('streamId' in event) || !('tags' in event)) return 'daemon';
    return (
      this.#byTags(event.tags) ??
      this.#byStream.get(event.streamId) ??
      (event.sessionId === undefined ? undefined : this.#bySession.get(event.sessionId)) ??
      `stream:${event.streamId}`
    );
  }

  /** The lane of an event; what it tells of who and what is where is remembered. */
  place(event: UsherEvent): LaneKey {
    const lane = this.laneOf(event);
    if (event.type !== 'message.posted') this.#learn(event, lane);
    return lane;
  }

  #learn(event: UsherEvent, lane: LaneKey): void {
    if (!isPlace(lane)) return;
    if (event.type === 'stream.started') {
      this.#byStream.set(event.streamId, lane);
      if (event.sessionId !== undefined) this.#bySession.set(event.sessionId, lane);
    } else if (event.type === 'member.joined' || event.type === 'member.changed') {
      this.#bySession.set(event.member.sessionId, lane);
      for (const { streamId } of event.member.streams) this.#byStream.set(streamId, lane);
    } else if (event.type === 'member.left') {
      const { sessionId } = event.member;
      if (this.#bySession.get(sessionId) === lane) this.#bySession.delete(sessionId);
    } else if (event.type === 'room.opened' || event.type === 'channel.opened') {
      this.#learnAlias(event.facts.kind, event.facts.alias, lane);
    }
  }

  /** Takes over what a stored lane knows. */
  learnState(state: LaneState): void {
    const { lane, facts } = state;
    if (!isPlace(lane)) return;
    // An alias is free again when its place has closed.
    if (facts?.open) this.#learnAlias(facts.kind, facts.alias, lane);
    for (const sessionId of state.members.keys()) this.#bySession.set(sessionId, lane);
    for (const streamId of state.streams.keys()) this.#byStream.set(streamId, lane);
    for (const streamId of state.tombstones.keys()) this.#byStream.set(streamId, lane);
  }

  /** Forgets everything but what these lanes know, so that ended streams do not pile up here. */
  relearn(states: Iterable<LaneState>): void {
    this.#byStream.clear();
    this.#bySession.clear();
    this.#byAlias.clear();
    this.#rooms.clear();
    this.#channels.clear();
    for (const state of states) this.learnState(state);
  }

  /** One string for all events of a place, made once: its hash is, too. */
  #keyOf(place: PlaceRef): PlaceKey {
    const keys = place.kind === 'room' ? this.#rooms : this.#channels;
    let key = keys.get(place.id);
    if (key === undefined) {
      key = placeKey(place);
      keys.set(place.id, key);
    }
    return key;
  }

  #learnAlias(kind: PlaceRef['kind'], alias: string, lane: PlaceKey): void {
    if (alias !== '') this.#byAlias.set(`${kind} ${alias}`, lane);
  }

  #byTags(tags: readonly string[]): PlaceKey | undefined {
    let byAlias: PlaceKey | undefined;
    for (const tag of tags) {
      const { key, value } = splitTag(tag);
      if (value === undefined || value === '') continue;
      if (key === 'roomId') return `room:${value}`;
      if (key === 'channelId') return `channel:${value}`;
      if (key === 'roomAlias') byAlias ??= this.#byAlias.get(`room ${value}`);
      if (key === 'channelAlias') byAlias ??= this.#byAlias.get(`channel ${value}`);
    }
    return byAlias;
  }
}

const isPlace = (lane: LaneKey): lane is PlaceKey => lane.startsWith('room:') || lane.startsWith('channel:');
