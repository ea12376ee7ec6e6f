import type { PlaceRef } from '../../domain/place.ts';
import { failed, type Fate } from '../fate.ts';

/** Channels have no messages (interface.md, endpoints 26 to 28). */
export const noChat = (place: PlaceRef): Fate =>
  failed(
    `The ${place.kind} ${place.id} has no chat: only rooms have messages. Narrow the rule's scope to rooms.`,
  );
