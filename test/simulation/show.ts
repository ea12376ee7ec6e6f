import { MEMBER_STATES, type TrackState } from '../../src/domain/member.ts';
import type { Random } from '../../src/sandbox/random.ts';
import { NAMES, SLUR, type Person, type Said, type Saying, type Truth } from './cast.ts';
import type { ModelPlatform } from './platform.ts';
import type { Timeline } from './timeline.ts';
import { between, pick } from './weather.ts';

/** How long people do things, ms. */
export const SHOW_MS = 120_000;

const SAYINGS = ['greeting', 'command', 'pretending'] as const;
const RUDE_SAYINGS = ['slur', 'slur', 'command'] as const;

/** What a moderator who writes `!censor` needs: rules know people from the member list only. */
export type Knows = (sessionId: string) => boolean;

/**
 * People come and go, publish, talk, swear and moderate in rooms and channels, all of it drawn from the seed and noted
 * down in the truth. Who publishes stays until the end, so that a verdict finds them.
 */
export function playShow(of: {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly platform: ModelPlatform;
  readonly knows: Knows;
  readonly note: (what: string) => void;
}): Truth {
  const { timeline, random, knows, note } = of;
  const { verbs } = of.platform;
  const truth: Truth = { places: [], people: new Map(), said: new Map() };
  const names = [...NAMES];
  const sometime = (fromMs = 0): number => between(random, fromMs, SHOW_MS);
  const at = (ms: number, work: () => void): void => void timeline.after(ms - timeline.now(), work);

  const place = (kind: 'room' | 'channel', alias: string): string => {
    const id =
      kind === 'room' ? verbs.createRoom({ alias }).roomId : verbs.createChannel({ alias }).channelId;
    truth.places.push({ id, kind });
    return id;
  };
  const where = (placeId: string) =>
    truth.places.find(({ id }) => id === placeId)?.kind === 'channel'
      ? { channelId: placeId }
      : { roomId: placeId };

  const enter = (placeId: string, role: Person['role']): Person => {
    const name = names.splice(Math.floor(random() * names.length), 1)[0]!;
    const { sessionId } = verbs.join({ ...where(placeId), screenName: name, role });
    const person: Person = { name, role, sessionId, placeId, guilt: { slurs: [], censored: false } };
    truth.people.set(sessionId, person);
    note(`${name} (${role}) comes into ${placeId}`);
    return person;
  };

  const say = (by: Person, what: Saying, text: string, claims: Person['role'] = by.role): Said => {
    const { messageId } = verbs.say({
      roomId: by.placeId,
      sessionId: by.sessionId,
      message: text,
      role: claims,
    });
    if (what === 'slur') by.guilt.slurs.push(messageId);
    const said = { messageId, roomId: by.placeId, by, what, slursByThen: by.guilt.slurs.length };
    truth.said.set(messageId, said);
    note(`${by.name} says "${text}" (${messageId})`);
    return said;
  };

  const publishes = (person: Person): void => {
    const { placeId, sessionId, name } = person;
    const { streamId } = verbs.publish({ ...where(placeId), sessionId });
    note(`${name} publishes ${streamId}`);
    if (random() < 0.3) {
      camera(person, streamId, 'TrackDisabled');
      return;
    }
    timeline.after(between(random, 500, 60_000), () => {
      if (of.platform.world.streams.get(streamId)?.endedAt === undefined) verbs.end({ streamId });
      note(`${name} ends ${streamId}`);
      if (random() < 0.6) timeline.after(between(random, 100, 20_000), () => publishes(person));
    });
  };

  /** Only polls show what becomes of a track. */
  const camera = (person: Person, streamId: string, videoState: TrackState): void => {
    const { sessionId, placeId, name } = person;
    timeline.after(between(random, 500, 30_000), () => {
      if (of.platform.world.streams.get(streamId)?.endedAt !== undefined) return;
      verbs.setState({ ...where(placeId), sessionId, streamId, videoState });
      note(`${name} has the camera at ${videoState}`);
      if (videoState === 'TrackDisabled' && random() < 0.6) camera(person, streamId, 'TrackEnabled');
    });
  };

  const talks = (person: Person, rude: boolean): void => {
    // An impostor writes under a moderator's role: what a message claims proves nothing.
    const claims = random() < 0.3 ? 'Moderator' : person.role;
    const sayings = 1 + Math.floor(random() * 4) + (rude ? Math.floor(random() * 4) : 0);
    for (let nth = 0; nth < sayings; nth += 1) {
      const what = pick(random, rude ? RUDE_SAYINGS : SAYINGS);
      const text = {
        slur: `you ${SLUR}`,
        command: '!help me',
        greeting: `good evening ${nth}`,
        pretending: `!censor @${pick(random, [...truth.people.values()]).name}`,
      }[what];
      at(sometime(timeline.now()), () => {
        if (isThere(person)) say(person, what, text, claims);
      });
    }
  };

  const raisesHand = ({ placeId, sessionId, name }: Person): void => {
    at(sometime(timeline.now()), () => {
      const state = pick(random, MEMBER_STATES);
      verbs.setState({ ...where(placeId), sessionId, state });
      note(`${name} is ${state}`);
    });
  };

  const isThere = ({ placeId, sessionId }: Person): boolean =>
    verbs.members(where(placeId)).some((member) => member.sessionId === sessionId);

  /** Moderators swear unpunished, and end others' streams. */
  const moderates = (moderator: Person, others: readonly Person[]): void => {
    if (random() < 0.5)
      at(sometime(20_000), () => knows(moderator.sessionId) && say(moderator, 'slur', `a ${SLUR}`));
    if (others.length === 0 || random() < 0.5) return;
    const target = pick(random, others);
    at(sometime(30_000), () => {
      if (!knows(moderator.sessionId) || !knows(target.sessionId)) return;
      say(moderator, 'censoring', `!censor @${target.name}`);
      target.guilt.censored = true;
    });
  };

  const opens = (kind: 'room' | 'channel', alias: string): void => {
    const placeId = place(kind, alias);
    note(`${kind} ${placeId} opens`);
    const moderator = kind === 'room' ? enter(placeId, 'Moderator') : undefined;
    const publishers = Array.from({ length: Math.floor(random() * 4) }, () => enter(placeId, 'Participant'));
    for (const publisher of publishers) {
      at(sometime(timeline.now()), () => publishes(publisher));
      if (random() < 0.4) raisesHand(publisher);
      if (kind === 'room' && random() < 0.6) talks(publisher, random() < 0.6);
    }
    if (moderator) moderates(moderator, publishers);
    for (let guests = Math.floor(random() * 3); guests > 0; guests -= 1) {
      at(sometime(timeline.now()), () => {
        const guest = enter(placeId, pick(random, ['Audience', 'Participant']));
        if (kind === 'room') talks(guest, random() < 0.5);
        if (random() < 0.5)
          at(sometime(timeline.now()), () => {
            verbs.leave({ ...where(placeId), sessionId: guest.sessionId });
            note(`${guest.name} leaves`);
          });
      });
    }
  };

  opens('room', 'lobby');
  opens('room', 'studio');
  if (random() < 0.5) opens('channel', 'tv');
  if (random() < 0.5) at(sometime(), () => opens('room', 'annex'));
  return truth;
}
