import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parseConfiguration } from '../../src/daemon/configuration.ts';
import { keepRegistered } from '../../src/daemon/keep-registered.ts';
import type { Log } from '../../src/daemon/log.ts';
import { createRing, type Ring } from '../../src/daemon/ring.ts';
import { createPlatformClient, type Transport } from '../../src/platform/index.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import type { Random } from '../../src/sandbox/random.ts';
import type { OpenDisk } from './disk.ts';
import type { Life } from './life.ts';
import { APPLICATION_ID, SECRET } from './platform.ts';
import type { Deliver } from './post.ts';

const PATH = '/webhooks/platform';
export const PUBLIC_URL = `http://127.0.0.1:8081${PATH}`;

/** As long as the real one gives what is under way. */
const DRAIN_MS = 10_000;

const CONFIGURATION = parseConfiguration(
  `
platform: {baseUrl: "http://127.0.0.1:8090", applicationId: ${APPLICATION_ID}, secret: ${SECRET}}
webhooks: {path: ${PATH}, publicUrl: "${PUBLIC_URL}"}
polling:
  members: {min: 4s, max: 15s}
  messages: {min: 2s, max: 10s}
console: {token: nobody-looks-here}
`,
  { file: 'usher.yaml', shown: 'usher.yaml', environment: {} },
);

/** The daemon of one life, put together from the same ring as the real one. */
export interface SimulatedDaemon {
  readonly deliver: Deliver;
  readonly ring: Ring;
  /** Takes nothing new, finishes what is under way, and says how many actions the journal keeps. */
  stop(): Promise<{ readonly left: number }>;
}

/** Rejects when it cannot start, as the process would end. */
export async function startDaemon(of: {
  readonly life: Life;
  readonly disk: OpenDisk;
  readonly transport: Transport;
  readonly bots: readonly Bot[];
  readonly random: Random;
  readonly log: Log;
}): Promise<SimulatedDaemon> {
  const { life, disk, transport, bots, random, log } = of;
  const { clock } = life;
  const { platform, egress } = CONFIGURATION;
  const client = createPlatformClient({
    ...platform,
    deadlineMs: egress.deadline,
    time: clock,
    random,
    transport,
  });
  const ring = await createRing({
    configuration: CONFIGURATION,
    bots,
    ...disk,
    client,
    clock,
    log,
    count: () => {},
    random,
  });
  await ring.resume();
  const registration = keepRegistered({
    client,
    applicationId: APPLICATION_ID,
    publicUrl: PUBLIC_URL,
    operator: disk.operator,
    clock,
    log,
  });
  ring.poller.start();
  return {
    ring,
    deliver: (parcel) => (life.alive ? answerOf(ring, parcel) : Promise.resolve(undefined)),
    async stop() {
      registration.stop();
      await ring.poller.stop();
      await ring.engine.drain(DRAIN_MS);
      const stopped = await ring.outbox.drain(DRAIN_MS);
      await ring.engine.drain(DRAIN_MS);
      await ring.engine.stop();
      return stopped;
    },
  };
}

/** Puts a notification before the receiver as its listener would. */
const answerOf = (ring: Ring, { method, target, headers, body }: Parameters<Deliver>[0]): Promise<number> =>
  new Promise((resolve) => {
    const request = new IncomingMessage(new Socket());
    request.method = method;
    request.url = target;
    const all = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    request.rawHeaders = Object.entries(all).flat();
    request.complete = true;
    request.push(body);
    request.push(null);
    const response = new ServerResponse(request);
    response.end = () => {
      resolve(response.statusCode);
      return response;
    };
    ring.receiver.handle(request, response);
  });
