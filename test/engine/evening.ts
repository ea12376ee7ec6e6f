import type { EventOf, EventType, UsherEvent } from '../../src/domain/event.ts';
import { compileBots } from '../../src/language/compile-bots.ts';
import { callbackFor } from '../../src/daemon/callback.ts';
import type { Log } from '../../src/daemon/log.ts';
import { createSteadyClock } from '../../src/daemon/steady-clock.ts';
import type { Ring } from '../../src/daemon/ring.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import { seededRandom } from '../../src/sandbox/random.ts';
import type { Verbs } from '../../src/sandbox/verbs.ts';
import type { World } from '../../src/sandbox/world/world.ts';
import autoTranscode from '../../plugins/auto-transcode/index.ts';
import pipComposition from '../../plugins/pip-composition/index.ts';
import { PUBLIC_URL, startDaemon, type SimulatedDaemon } from '../simulation/daemon.ts';
import { createDisk } from '../simulation/disk.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { BEGINNING, createLife, type Life } from '../simulation/life.ts';
import { createNetwork } from '../simulation/network.ts';
import { createModelPlatform } from '../simulation/platform.ts';
import { createPost } from '../simulation/post.ts';
import { createTimeline } from '../simulation/timeline.ts';

/** A request to the platform that changes something, as it was done. */
export interface Done {
  readonly operation: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The whole ring beside the sandbox, in fair weather and virtual time; the daemon goes and comes when told. */
export interface Evening {
  readonly people: Verbs;
  readonly world: World;
  /** What the daemon asked for that changes something, and got, in order. */
  readonly done: readonly Done[];
  readonly logged: readonly string[];
  /** What the feed showed of gaps, in all lives. */
  readonly fed: readonly UsherEvent[];
  run(ms: number): Promise<void>;
  /** As by kill -9. */
  kill(): void;
  start(): void;
  /** Sets the clock of the daemon's machine, ahead or (negative) back. */
  setClock(byMs: number): void;
  ring(): Ring;
  journal<T extends EventType>(type: T): readonly EventOf<T>[];
  /** Texts of a room, ours too, without markers. */
  said(roomId: string): readonly string[];
  /** Texts of messages that a marker of ours hides. */
  hidden(roomId: string): readonly string[];
}

const bots = (text: string): readonly Bot[] => {
  const compiled = compileBots({
    files: [{ path: 'bots/house.yaml', text }],
    env: {},
    plugins: new Map([autoTranscode, pipComposition].map((plugin) => [plugin.name, plugin])),
    readFile: (path) => {
      throw new Error(`There is no file ${path}.`);
    },
  });
  if ('findings' in compiled) throw new Error(compiled.findings.join('\n'));
  return compiled.bots;
};

export function evening(house: string): Evening {
  const timeline = createTimeline(seededRandom('schedule'));
  const disk = createDisk(
    timeline,
    seededRandom('disk'),
    memoryStore({ now: () => BEGINNING + Math.floor(timeline.now()) }),
  );
  const logged: string[] = [];
  const fed: UsherEvent[] = [];
  const done: Done[] = [];
  let daemon: SimulatedDaemon | undefined;
  let life: Life | undefined;
  let lives = 0;
  let setBy = 0;

  const platform = createModelPlatform({
    timeline,
    random: seededRandom('platform'),
    callback: callbackFor(PUBLIC_URL).callback,
    notify: (notice) => post.notify(notice),
    observe({ method, operation, status, body }) {
      if (method === 'GET' || operation === undefined) return;
      // The sandbox has parsed it; deletes have none.
      done.push({ operation, status, body: (body ?? {}) as Done['body'] });
    },
  });
  const post = createPost({
    timeline,
    random: seededRandom('post'),
    platform: () => platform,
    deliver: (parcel) => daemon?.deliver(parcel) ?? Promise.resolve(undefined),
    note() {},
  });
  const network = createNetwork({ timeline, random: seededRandom('network'), platform, note() {} });
  const line = (_: object, message: string): void => void logged.push(message);
  // Of pino's logger the ring uses these three, in this form.
  const log = { info: line, warn: line, error: line } as unknown as Log;

  const messages = (roomId: string) => platform.world.rooms.get(roomId)?.messages ?? [];

  return {
    people: platform.verbs,
    world: platform.world,
    done,
    logged,
    fed,
    run: (ms) => timeline.run(ms),
    kill() {
      life?.die();
      daemon = undefined;
    },
    start() {
      const now = createLife(timeline, (lives += 1), () => {});
      life = now;
      const machine = { ...now.clock, now: () => now.clock.now() + setBy };
      const begin = async (): Promise<void> => {
        daemon = await startDaemon({
          life: Object.create(now, { clock: { value: createSteadyClock(machine) } }) as Life, // all else is inherited
          disk: disk.open(now),
          transport: network.transport(now),
          bots: bots(house),
          random: seededRandom(`life ${lives}`),
          log,
        });
        daemon.ring.engine.bus.of('place.gap').subscribe((event) => fed.push(event));
      };
      void begin();
    },
    setClock: (byMs) => void (setBy += byMs),
    ring() {
      if (!daemon) throw new Error('The daemon does not run.');
      return daemon.ring;
    },
    journal: <T extends EventType>(type: T) =>
      [...disk.journal.values()]
        .sort((a, b) => a.seq - b.seq)
        .flatMap(({ event }) => (event.type === type ? [event as EventOf<T> & UsherEvent] : [])),
    said: (roomId) =>
      messages(roomId).flatMap(({ mimeType, message }) => (mimeType === 'text/plain' ? [message] : [])),
    hidden(roomId) {
      const markers = messages(roomId)
        .filter(({ mimeType }) => mimeType !== 'text/plain')
        .map(({ message }) => message)
        .join('\n');
      return messages(roomId).flatMap(({ messageId, message }) =>
        markers.includes(JSON.stringify(messageId).slice(1, -1)) ? [message] : [],
      );
    },
  };
}
