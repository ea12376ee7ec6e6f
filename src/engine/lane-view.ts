import type { Author, Member, MemberKey } from '../domain/member.ts';
import { memberKey } from '../domain/member.ts';
import type { PlaceKind, RoomType } from '../domain/place.ts';
import type { LiveStream, OwnedResource, PlaceView, Publisher, RecentMessage } from '../domain/place-view.ts';
import type { Mode } from '../plugin/bot.ts';
import type { LaneState } from './lane-state.ts';
import { resolveAuthor } from './perceive.ts';
import type { Proposer } from './proposal.ts';
import { publishersOf } from './publishers-of.ts';
import { ReadOnlyMap } from './read-only-map.ts';
import type { KnownPlace } from './records.ts';
import { strikePoints } from './strike-points.ts';

/** What a view shows beside the place itself: the moderation state and resources of one bot, in one mode. */
export interface Beholder {
  readonly bot: Proposer;
  readonly mode: Mode;
}

/** A lane's knowledge as rules see it. Follows the state; nothing can be changed through it. */
export class LaneView implements PlaceView {
  readonly kind: PlaceKind;
  readonly id: string;
  readonly alias: string;
  readonly name: string;
  declare readonly type?: RoomType;
  readonly known: boolean;
  readonly members: ReadonlyMap<string, Member>;
  readonly streams: ReadonlyMap<string, LiveStream>;
  readonly #state: LaneState;
  readonly #beholder: Beholder | undefined;
  readonly #facts: KnownPlace | undefined;

  constructor(state: LaneState, facts: KnownPlace | undefined, beholder?: Beholder) {
    this.kind = facts?.kind ?? state.ref?.kind ?? 'room';
    this.id = facts?.id ?? state.ref?.id ?? state.lane;
    this.alias = facts?.alias ?? '';
    this.name = facts?.name ?? '';
    if (facts?.type !== undefined) this.type = facts.type;
    this.known = facts !== undefined;
    this.members = new ReadOnlyMap(state.members);
    this.streams = new ReadOnlyMap(state.streams);
    this.#state = state;
    this.#beholder = beholder;
    this.#facts = facts;
  }

  /** False when a list has told something else of the place since. */
  shows(facts: KnownPlace | undefined): boolean {
    return this.#facts === facts;
  }

  member(key: MemberKey): Member | undefined {
    if (key.startsWith('session:')) return this.members.get(key.slice('session:'.length));
    for (const member of this.members.values()) {
      if (memberKey({ screenName: member.screenName }) === key) return member;
    }
    return undefined;
  }

  publishers(): readonly Publisher[] {
    return this.#state.publishers;
  }

  get messages(): readonly RecentMessage[] {
    return this.#state.messages.list;
  }

  strikes(ladder: string, member: MemberKey): number {
    if (!this.#beholder) return 0;
    const { bot, mode } = this.#beholder;
    const strikes = this.#state.strikes.get(`${mode}/${bot.name}/${ladder}/${member}`);
    return strikePoints(strikes, bot.ladders.get(ladder), this.#state.now);
  }

  muted(member: MemberKey): boolean {
    if (!this.#beholder) return false;
    const { bot, mode } = this.#beholder;
    const mute = this.#state.mutes.get(`${mode}/${bot.name}/${member}`);
    return mute !== undefined && mute.until > this.#state.now;
  }

  get resources(): ReadonlyMap<string, OwnedResource> {
    const owned = new Map<string, OwnedResource>();
    for (const resource of this.#state.resources.values()) {
      const { key, rule, kind, phase, platformId, spec } = resource;
      if (
        resource.bot !== this.#beholder?.bot.name ||
        resource.shadow !== (this.#beholder.mode === 'shadow')
      ) {
        continue;
      }
      owned.set(`${rule}/${key}`, {
        key,
        rule,
        kind,
        phase,
        spec,
        ...(platformId !== undefined && { platformId }),
      });
    }
    return owned;
  }

  resolve(author: Author): Author {
    return resolveAuthor(this.#state, author);
  }
}

/** The same place with only some of its streams: what a keeper sees that looks at tags, or beside streams that we end. */
export function viewOfStreams(view: PlaceView, shows: (stream: LiveStream) => boolean): PlaceView {
  const streams = new Map([...view.streams].filter(([, stream]) => shows(stream)));
  return new Proxy(view, {
    get(target, name) {
      if (name === 'streams') return streams;
      if (name === 'publishers') return () => publishersOf(streams.values(), target.members);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
