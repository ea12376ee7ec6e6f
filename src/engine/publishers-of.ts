import { memberKey, type Member } from '../domain/member.ts';
import type { LiveStream, Publisher } from '../domain/place-view.ts';

/**
 * Groups live streams by who publishes them, in order of the oldest stream. A stream whose session nobody told counts as
 * a publisher of its own.
 */
export function publishersOf(
  streams: Iterable<LiveStream>,
  members: ReadonlyMap<string, Member>,
): readonly Publisher[] {
  const bySession = new Map<string, LiveStream[]>();
  for (const stream of streams) {
    const owner = stream.sessionId === undefined ? `\0${stream.streamId}` : stream.sessionId;
    const list = bySession.get(owner);
    if (list) list.push(stream);
    else bySession.set(owner, [stream]);
  }
  const byAge = (a: LiveStream, b: LiveStream): number =>
    a.startedAt - b.startedAt || (a.streamId < b.streamId ? -1 : 1);
  return [...bySession.values()]
    .map((own): Publisher => {
      own.sort(byAge);
      const [first] = own;
      const sessionId = first?.sessionId;
      const member = sessionId === undefined ? undefined : members.get(sessionId);
      return {
        key: memberKey({ sessionId, screenName: first?.streamId ?? '' }),
        ...(sessionId !== undefined && { sessionId }),
        screenName: member?.screenName ?? '',
        ...(member && { role: member.role }),
        since: first?.startedAt ?? 0,
        streams: own,
      };
    })
    .sort((a, b) => a.since - b.since || (a.key < b.key ? -1 : 1));
}
