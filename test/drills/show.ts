import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../ingress/random.ts';
import type { Sandbox } from '../journeys/processes.ts';
import { quiet } from './quiet.ts';
import { KIND, order, SLUR } from './house.ts';

export interface ShowSize {
  readonly rooms: number;
  /** Voices that begin or end: a notification each, and those of the playlists that are made of some. */
  readonly turnsPerSecond: number;
  readonly messagesPerSecond: number;
}

/** What people do on the platform while the drill goes on; it never waits for the bot. */
export interface Show {
  /** Has moderators end what the censored ones publish; resolves when the bot was told, and so knows who they are. */
  censor(): Promise<void>;
  /** From here on, until `stop`, people talk and publish. */
  start(): void;
  /** Everybody stays as they are. Rejects when the platform refused something. */
  stop(): Promise<void>;
}

interface Person {
  readonly roomId: string;
  readonly sessionId: string;
  streamId?: string;
  /** Between streams, and while a request is on its way. */
  busyUntil: number;
}

const TICK_MS = 20;
/** More requests than that under way: this machine cannot keep the pace, and the rate that comes out is told. */
const MOST_UNDER_WAY = 64;
const VOICES_A_ROOM = 10;
/** In every other studio a second camera comes and goes; in one talk of so many somebody censored tries again. */
const CENSORED_EVERY = 3;
/** How long somebody is on air, and then off. */
const VOICE_MS = { on: [1_500, 4_500], off: [300, 1_500] } as const;
const CAMERA_MS = { on: [5_000, 12_000], off: [2_500, 6_000] } as const;
const CENSORED_MS = [1_500, 4_000] as const;

/**
 * Opens the rooms and puts people in. Studios have one camera that stays, and some a second one that comes and goes; talks
 * have voices that come and go, and some have somebody censored whom the bot has to keep off the air. Resolves when all are there, nothing moves before `start`.
 */
export async function openShow(sandbox: Sandbox, seed: number, size: ShowSize): Promise<Show> {
  const random = seededRandom(seed);
  const within = ([low, high]: readonly [number, number]): number => low + random() * (high - low);
  const voices: Person[] = [];
  const speakers: Person[] = [];
  const cameras: Person[] = [];
  const censored: Person[] = [];

  const join = async (roomId: string, screenName: string, role = 'Participant'): Promise<Person> => {
    const { member } = await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
      roomId,
      screenName,
      role,
    });
    return { roomId, sessionId: member.sessionId, busyUntil: 0 };
  };
  const publish = async ({ roomId, sessionId }: Person, kind: string, capability = 'hd'): Promise<string> => {
    const { streamId } = await sandbox.control<{ streamId: string }>('POST', 'streams', {
      roomId,
      sessionId,
      capabilities: [capability],
      tags: [kind],
    });
    return streamId;
  };
  const end = (streamId: string, reason = ''): Promise<unknown> =>
    sandbox.control('DELETE', 'streams', { streamId, reason });

  const open = async (alias: string): Promise<string> =>
    (await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias })).room.roomId;
  for (let n = 0; n < size.rooms / 2; n += 1) {
    const studio = await open(`studio-${n}`);
    await publish(await join(studio, `Host-${n}`, 'Presenter'), KIND.camera);
    if (n % 2 === 0) cameras.push(await join(studio, `Guest-${n}`));
    speakers.push(await join(studio, `Fan-${n}`));
    const talk = await open(`talk-${n}`);
    if (n % CENSORED_EVERY === 0) censored.push(await join(talk, `Grim-${n}`));
    for (let v = 0; v < VOICES_A_ROOM; v += 1) voices.push(await join(talk, `Voice-${n}-${v}`));
    speakers.push(...voices.slice(-2));
  }

  let orders = 0;
  const text = (): string => {
    const choice = random();
    if (choice < 0.25) return order((orders += 1));
    return choice < 0.37 ? `what a ${SLUR} that is` : `a few kind words, ${Math.floor(random() * 1e6)}`;
  };
  const say = ({ roomId, sessionId }: Person): Promise<unknown> =>
    sandbox.control('POST', 'messages', { roomId, sessionId, message: text() });

  /** A stream where there is none, else its end; then nothing for a while. */
  const turn = async (
    person: Person,
    kind: string,
    forMs: { readonly on: readonly [number, number]; readonly off: readonly [number, number] },
    capability?: string,
  ) => {
    person.busyUntil = Infinity;
    const { streamId } = person;
    if (streamId === undefined) person.streamId = await publish(person, kind, capability);
    else {
      delete person.streamId;
      await end(streamId);
    }
    person.busyUntil = performance.now() + within(streamId === undefined ? forMs.on : forMs.off);
  };
  const tryAgain = async (person: Person) => {
    person.busyUntil = Infinity;
    await publish(person, KIND.censored, 'audio-only');
    person.busyUntil = performance.now() + within(CENSORED_MS);
  };

  const underWay = new Set<Promise<unknown>>();
  const refused: unknown[] = [];
  const go = (work: Promise<unknown>): void => {
    const tracked = work
      .catch((error: unknown) => refused.push(error))
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };
  const anySpeaker = (): Person | undefined => speakers[Math.floor(random() * speakers.length)];
  let next = 0;
  /** Round and round, so that each has about as many turns. */
  const freeVoice = (now: number): Person | undefined => {
    for (let looked = 0; looked < voices.length; looked += 1) {
      const person = voices[(next += 1) % voices.length];
      if (person && person.busyUntil <= now) return person;
    }
    return undefined;
  };
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const began = performance.now();
    let turned = 0;
    let said = 0;
    while (!stopping.signal.aborted) {
      const now = performance.now();
      const elapsedS = (now - began) / 1_000;
      for (const person of cameras) if (person.busyUntil <= now) go(turn(person, KIND.camera, CAMERA_MS));
      for (const person of censored) if (person.busyUntil <= now) go(tryAgain(person));
      // What was missed while the machine was busy is not made up for: that would be a burst, not a rate.
      for (; turned < elapsedS * size.turnsPerSecond; turned += 1) {
        const free = underWay.size < MOST_UNDER_WAY ? freeVoice(now) : undefined;
        if (free) go(turn(free, KIND.voice, VOICE_MS, 'audio-only'));
      }
      for (; said < elapsedS * size.messagesPerSecond; said += 1) {
        const speaker = anySpeaker();
        if (speaker && underWay.size < MOST_UNDER_WAY) go(say(speaker));
      }
      await sleep(TICK_MS);
    }
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    async censor() {
      for (const person of censored) await end(await publish(person, 'kind:before'), 'censored');
      await quiet(sandbox);
    },
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
      if (refused.length > 0) throw new AggregateError(refused, 'the platform refused a part of the show');
    },
  };
}
