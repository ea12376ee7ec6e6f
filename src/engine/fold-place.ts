import type { ChannelClosed, ChannelOpened, RoomClosed, RoomOpened } from '../domain/event.ts';
import type { Folded } from './folded.ts';
import type { LaneState } from './lane-state.ts';

/** A place appears or goes. A closed one keeps its facts: late events still belong to its scope. */
export function foldPlace(
  state: LaneState,
  event: RoomOpened | RoomClosed | ChannelOpened | ChannelClosed,
): Folded {
  const open = event.type === 'room.opened' || event.type === 'channel.opened';
  const { kind, id, alias, name, type } = event.facts;
  state.listed({ kind, id, alias, name, ...(type !== undefined && { type }), open });
  state.mediaChanged();
  if (!open) {
    for (const sessionId of state.members.keys()) state.members.delete(sessionId);
    for (const streamId of state.streams.keys()) state.streams.delete(streamId);
  }
  return { changed: true, touched: [] };
}
