import type { MemberState, MemberStreamType, Role, TrackState } from '../../domain/member.ts';
import type { PlaceKind, RoomType } from '../../domain/place.ts';
import type { IngestOptions } from '../../platform/index.ts';
import type { SandboxClock } from '../clock.ts';
import type { SwitchSettings } from '../decisions.ts';
import type { Ids } from '../ids.ts';
import type { PlaylistSet } from '../playlists/playlist-set.ts';
import type { Quality } from '../playlists/renditions.ts';
import { PlaceIndex } from './place-index.ts';

/** The records of the emulated platform. They refer to each other; the functions beside this file change them. */

/** A room or a channel with everybody and everything in it. */
export interface Place {
  readonly kind: PlaceKind;
  readonly id: string;
  readonly alias: string;
  readonly name: string;
  readonly description: string;
  readonly type: RoomType | 'Channel';
  readonly streamKey: string;
  /** Milliseconds since 1970, as all times here. */
  readonly created: number;
  lastUpdate: number;
  readonly options: readonly unknown[];
  readonly ingestOptions?: IngestOptions | undefined;
  readonly members: Map<string, PlaceMember>;
  /** Sizes with the time from which each held, for the lag of `estimatedSize`. */
  readonly sizes: { readonly at: number; readonly size: number }[];
  /** Ascending; purged ones stay only under the switch `purge: marked`. */
  messages: ChatMessage[];
  messageCount: number;
  /** What is published here now, oldest first. */
  readonly live: Set<LiveStream>;
}

/** A member of one place. The same session in two places is two members. */
export interface PlaceMember {
  readonly sessionId: string;
  screenName: string;
  role: Role;
  state: MemberState;
  readonly streams: LiveStream[];
  lastUpdate: number;
}

/** A message as the platform keeps it (interface.md, "Message object"). */
export interface ChatMessage {
  readonly messageId: string;
  readonly timestamp: number;
  deletedTimestamp: number;
  /** What the sender says of itself: nobody checks it. */
  readonly from: {
    readonly sessionId?: string;
    readonly screenName: string;
    readonly role: Role;
    readonly lastUpdate: number;
  };
  readonly mimeType: string;
  readonly message: string;
  readonly tags: readonly string[];
}

/** A stream from its first frame on; it stays here after its end, for 410 answers and its archive. */
export interface LiveStream {
  readonly streamId: string;
  readonly sessionId: string;
  readonly origin: 'published' | 'forked' | 'composed';
  readonly place?: Place;
  readonly type: MemberStreamType;
  readonly capabilities: readonly string[];
  /** As in notifications: those of the place first, then the publisher's own. */
  readonly tags: readonly string[];
  audioState: TrackState;
  videoState: TrackState;
  readonly startedAt: number;
  endedAt?: number;
  /** Whether notifications are sent for it. */
  readonly notified: boolean;
  readonly playlists: PlaylistSet[];
  archive: 'none' | 'kept' | 'deleted';
  /** What was made of it. */
  readonly forks: LiveStream[];
  readonly compositions: Set<Composition>;
  readonly transcodings: Transcoding[];
}

/** A picture-in-picture of several streams; its id is the id of the stream that it makes. */
export interface Composition {
  readonly stream: LiveStream;
  /** The main stream first. */
  inputs: readonly LiveStream[];
  deleted: boolean;
}

/** A conversion of one stream to one playlist type; it ends with its origin. */
export interface Transcoding {
  readonly transcodingId: string;
  readonly origin: LiveStream;
  readonly type: 'DASH' | 'HLS';
  readonly quality: Quality;
  readonly only?: 'audio' | 'video';
  readonly onDemand: boolean;
  readonly tags: readonly string[];
  deleted: boolean;
}

/** A fact about a stream that the platform would tell its callback (interface.md, "Events"). */
export interface Notice {
  readonly what: 'started' | 'ended' | 'live' | 'on-demand';
  readonly sessionId: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly streamId: string };
}

/** Everything that the emulated platform knows of its one application. */
export interface World {
  readonly applicationId: string;
  readonly secret: string;
  readonly clock: SandboxClock;
  readonly ids: Ids;
  readonly switches: SwitchSettings;
  /** From a stream's start to its live playlists, and again to on-demand ones; `never` leaves it to `makePlaylistReady`. */
  readonly playlistDelayMs: number | 'never';
  readonly rooms: PlaceIndex<Place>;
  readonly channels: PlaceIndex<Place>;
  readonly streams: Map<string, LiveStream>;
  readonly compositions: Map<string, Composition>;
  readonly transcodings: Map<string, Transcoding>;
  /** The address under which playlists are served, without a slash at the end. */
  readonly videoBase: () => string;
  readonly notify: (notice: Notice) => void;
}

export const emptyWorld = (
  of: Omit<World, 'rooms' | 'channels' | 'streams' | 'compositions' | 'transcodings'>,
): World => ({
  ...of,
  rooms: new PlaceIndex<Place>(),
  channels: new PlaceIndex<Place>(),
  streams: new Map(),
  compositions: new Map(),
  transcodings: new Map(),
});
