import type { UsherEvent } from '../domain/event.ts';
import { placeKey, type PlaceRef } from '../domain/place.ts';
import { plain } from './paint.ts';

/** Names that people know instead of ids, learnt from the events that pass. */
export class Names {
  readonly #places = new Map<string, string>();
  readonly #sessions = new Map<string, string>();
  readonly #publishers = new Map<string, string>();
  readonly #most: number;

  /** Keeps at most `most` names of a kind; the oldest are forgotten and shown by their ids again. */
  constructor(most = 10_000) {
    this.#most = most;
  }

  learn(event: UsherEvent): void {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- most events name nobody
    switch (event.type) {
      case 'room.opened':
      case 'channel.opened':
        this.#keep(this.#places, placeKey(event.place), event.facts.alias);
        break;
      case 'member.joined':
      case 'member.changed':
        this.#keep(this.#sessions, event.member.sessionId, event.member.screenName);
        for (const stream of event.member.streams)
          this.#keep(this.#publishers, stream.streamId, event.member.screenName);
        break;
      case 'message.posted':
        if (event.author.sessionId !== undefined)
          this.#keep(this.#sessions, event.author.sessionId, event.author.screenName);
        break;
      case 'stream.started':
        if (event.sessionId !== undefined) this.#keep(this.#publishers, event.streamId, event.sessionId);
        break;
      default:
    }
  }

  place(place: PlaceRef | undefined): string {
    return place === undefined ? '' : plain(this.#places.get(placeKey(place)) ?? shortId(place.id), 24);
  }

  session(sessionId: string | undefined): string {
    return sessionId === undefined
      ? 'somebody'
      : plain(this.#sessions.get(sessionId) ?? shortId(sessionId), 40);
  }

  publisher(streamId: string): string {
    const who = this.#publishers.get(streamId);
    return who === undefined ? shortId(streamId) : plain(this.#sessions.get(who) ?? who, 40);
  }

  stream(streamId: string): string {
    return this.#publishers.has(streamId)
      ? `${this.publisher(streamId)}’s stream`
      : `stream ${shortId(streamId)}`;
  }

  #keep(names: Map<string, string>, key: string, name: string): void {
    names.delete(key);
    names.set(key, name);
    if (names.size <= this.#most) return;
    const oldest = names.keys().next();
    if (oldest.done !== true) names.delete(oldest.value);
  }
}

/** The end of an id: the part that differs. */
const shortId = (id: string): string => plain(id.length > 14 ? `…${id.slice(-12)}` : id);
