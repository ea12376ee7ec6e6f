import { defineRule, duration, terminateStream, z, type Memory, type PlaceView } from 'usher/plugin';
import { skeleton } from 'usher/text';

const options = z.strictObject({
  /** The reason with which a stream is ended, and by which an ended one is known as censored. */
  reason: z.string().min(1).default('censored'),
  /** For so long, what the same person publishes is ended again. */
  watch: duration().prefault('10m'),
  /** Moderators write this and a name, e.g. `!censor @ann`. */
  command: z.string().min(2).default('!censor'),
});

/** A person is known by session, and by screen name however it is disguised: a new session is one click away. */
const marks = (room: PlaceView, sessionId: string): readonly string[] => {
  const member = room.members.get(sessionId);
  return [`session ${sessionId}`, ...(member === undefined ? [] : [`name ${skeleton(member.screenName)}`])];
};

const watch = (remember: Memory, keys: readonly string[], forMs: number): void => {
  for (const key of keys) remember.set(key, true, { forMs });
};

/** A censored stream stays ended: whoever was censored, by whomever, is ended again on each republish. */
export default defineRule({
  name: 'censorship-kill',
  hears: ['stream.started', 'stream.ended', 'message.posted'],
  mayDo: ['stream.terminate'],
  options,
  decide(event, { options: { reason, watch: forMs, command }, room, remember }) {
    switch (event.type) {
      case 'stream.ended':
        if (event.reason === reason && event.sessionId !== undefined) {
          watch(remember, marks(room, event.sessionId), forMs);
        }
        return [];

      case 'stream.started': {
        if (event.late === true || event.sessionId === undefined) return [];
        const keys = marks(room, event.sessionId);
        if (!keys.some((key) => remember.get(key) === true)) return [];
        watch(remember, keys, forMs);
        return [terminateStream(event, { reason })];
      }

      case 'message.posted': {
        const [word, ...rest] = event.text.trim().split(/\s+/);
        const isModerator = event.author.standing === 'verified' && event.author.role === 'Moderator';
        if (word !== command || !isModerator) return [];
        const name = skeleton(rest.join(' ').replace(/^@/, ''));
        const named = [...room.members.values()].filter((member) => skeleton(member.screenName) === name);
        for (const member of named) watch(remember, marks(room, member.sessionId), forMs);
        const sessions = new Set(named.map((member) => member.sessionId));
        return [...room.streams.values()]
          .filter((stream) => stream.sessionId !== undefined && sessions.has(stream.sessionId))
          .map((stream) => terminateStream(stream.streamId, { reason, because: [event], place: room }));
      }

      default:
        return event satisfies never;
    }
  },
});
