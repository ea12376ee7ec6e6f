import type { MemberChanged, MemberJoined, MemberLeft, TrackChanged } from '../domain/event.ts';
import type { Folded } from './folded.ts';
import type { LaneState } from './lane-state.ts';

/**
 * A member comes, changes or goes, with the streams that the list shows of it: streams that no notification told of
 * become live, those of it that are known get its session and tracks. A stream that the list no longer shows ends by its
 * own event, never here: a list may be older than a notification.
 */
export function foldMember(
  state: LaneState,
  event: MemberJoined | MemberLeft | MemberChanged | TrackChanged,
): Folded {
  const { member } = event;
  const touched: string[] = [];
  state.mediaChanged();
  if (event.type === 'member.left') {
    state.members.delete(member.sessionId);
    return { changed: true, touched };
  }
  const renamed = state.members.get(member.sessionId)?.screenName !== member.screenName;
  state.members.set(member.sessionId, { ...member, seenAt: event.seenAt });
  for (const { streamId, type, audio, video } of member.streams) {
    if (state.tombstones.has(streamId)) continue;
    const known = state.streams.get(streamId);
    if (known === undefined || known.sessionId !== member.sessionId || renamed) touched.push(streamId);
    else if (known.type === type && known.audio === audio && known.video === video) continue;
    state.streams.set(streamId, {
      streamId,
      sessionId: member.sessionId,
      tags: known?.tags ?? [],
      type,
      startedAt: known?.startedAt ?? event.at,
      audio,
      video,
      startedBy: known?.startedBy ?? event.id,
      seenAt: event.seenAt,
    });
  }
  if (renamed) {
    for (const stream of state.streams.values()) {
      if (stream.sessionId === member.sessionId && !touched.includes(stream.streamId)) {
        touched.push(stream.streamId);
      }
    }
  }
  return { changed: true, touched };
}
