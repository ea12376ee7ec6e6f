import type { PlaceKind, RoomType } from '../../domain/place.ts';
import type { IngestOptions } from '../../platform/index.ts';
import { endStream } from './end-stream.ts';
import { noteSize } from './estimated-size.ts';
import type { Place, World } from './world.ts';

export interface PlaceDraft {
  readonly alias: string;
  readonly name: string;
  readonly description: string;
  readonly type: RoomType | 'Channel';
  readonly options: readonly unknown[];
  readonly ingestOptions?: IngestOptions | undefined;
}

export const placesOf = (world: World, kind: PlaceKind): World['rooms'] =>
  kind === 'room' ? world.rooms : world.channels;

/** An empty alias is generated. The existing place is the answer when alias or name is taken. */
export function createPlace(
  world: World,
  kind: PlaceKind,
  draft: PlaceDraft,
): { readonly made: Place } | { readonly taken: Place } {
  const places = placesOf(world, kind);
  const alias = draft.alias === '' ? `${kind}-${world.ids.text(8)}` : draft.alias;
  const taken = places.byAlias(alias) ?? places.byName(draft.name);
  if (taken !== undefined) return { taken };
  const now = world.clock.now();
  const made: Place = {
    kind,
    id: world.ids.place(world.applicationId, alias),
    alias,
    name: draft.name,
    description: draft.description,
    type: draft.type,
    streamKey: world.ids.streamKey(),
    created: now,
    lastUpdate: now,
    options: draft.options,
    ...(draft.ingestOptions === undefined ? {} : { ingestOptions: draft.ingestOptions }),
    members: new Map(),
    sizes: [],
    messages: [],
    messageCount: 0,
    live: new Set(),
  };
  noteSize(made, now);
  places.add(made);
  return { made };
}

/** Ends what is published there and forgets the place with its members and messages. */
export function deletePlace(world: World, place: Place): void {
  for (const stream of place.live) endStream(world, stream, '');
  place.members.clear();
  placesOf(world, place.kind).remove(place);
}
