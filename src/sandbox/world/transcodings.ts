import { schedulePlaylists } from './ready-playlists.ts';
import type { Transcoding, World } from './world.ts';

export type TranscodingDraft = Pick<
  Transcoding,
  'origin' | 'type' | 'quality' | 'only' | 'onDemand' | 'tags'
>;

/** The one that still does what the draft wants. */
export const sameTranscoding = (draft: TranscodingDraft): Transcoding | undefined =>
  draft.origin.transcodings.find(
    (other) =>
      !other.deleted &&
      other.type === draft.type &&
      other.quality === draft.quality &&
      other.only === draft.only,
  );

/** Its `live` (and `on-demand`) notifications carry the id of the origin. */
export function createTranscoding(world: World, draft: TranscodingDraft): Transcoding {
  const transcoding: Transcoding = {
    ...draft,
    transcodingId: world.ids.stream(),
    deleted: false,
  };
  world.transcodings.set(transcoding.transcodingId, transcoding);
  draft.origin.transcodings.push(transcoding);
  if (draft.onDemand && draft.origin.archive === 'none') draft.origin.archive = 'kept';
  schedulePlaylists(world, draft.origin, {
    source: transcoding.transcodingId,
    types: [draft.type],
    quality: draft.quality,
    lite: false,
    live: true,
    onDemand: draft.onDemand,
    ...(draft.only === undefined ? {} : { only: draft.only }),
    stillWanted: () => !transcoding.deleted,
  });
  return transcoding;
}

export function deleteTranscoding(transcoding: Transcoding): void {
  transcoding.deleted = true;
  const { playlists } = transcoding.origin;
  const kept = playlists.filter(
    (set) => set.source !== transcoding.transcodingId || set.what === 'on-demand',
  );
  playlists.splice(0, playlists.length, ...kept);
}
