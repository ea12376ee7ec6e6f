import type { PlaceRef } from '../domain/place.ts';
import { splitTag } from '../platform/index.ts';

/** The room or channel that the tags of a stream name by id; undefined where none does. */
export function placeOfTags(tags: readonly string[]): PlaceRef | undefined {
  for (const tag of tags) {
    const { key, value } = splitTag(tag);
    if (!value) continue;
    if (key === 'roomId') return { kind: 'room', id: value };
    if (key === 'channelId') return { kind: 'channel', id: value };
  }
  return undefined;
}
