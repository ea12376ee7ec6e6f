import { createServer, request, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, Sandbox, Stage } from '../journeys/processes.ts';
import { freePort, statusOf, usher } from './contender.ts';
import { inspectJournal, type Accepted } from './inspect-journal.ts';
import { openShow } from './show.ts';

/** In `npm test` a few; the long part of CI takes a tenth of its faults on the daemon. */
const KILLS = Math.max(3, Math.round(Number(process.env['USHER_DRILLS'] ?? 0) / 10));
const SIZE = { rooms: 8, turnsPerSecond: 20, messagesPerSecond: 10 };

/** Passes notifications on to the daemon and remembers which got a 200: the platform's own memory dies with it. */
interface Relay {
  readonly port: number;
  readonly accepted: readonly Accepted[];
  readonly server: Server;
}

async function openRelay(to: number): Promise<Relay> {
  const accepted: Accepted[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const { method, url, headers } = incoming;
      const passed = request(
        { host: '127.0.0.1', port: to, method, path: url, headers: { ...headers, host: `127.0.0.1:${to}` } },
        (answer) => {
          if (answer.statusCode === 200) accepted.push(JSON.parse(body.toString('utf8')) as Accepted); // interface.md
          outgoing.writeHead(answer.statusCode ?? 502);
          answer.pipe(outgoing);
        },
      );
      passed.on('error', () => outgoing.writeHead(502).end());
      passed.end(body);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return { port, accepted, server };
}

let stage: Stage;
let relay: Relay;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(async () => {
  relay.server.closeAllConnections();
  await new Promise((resolve) => void relay.server.close(resolve));
  await stage.close();
});

test(
  'a platform that dies again and again takes nothing with it that was accepted; the daemon stays up, says so, and goes on',
  async () => {
    const platformPort = await freePort();
    const boot = async (life: number): Promise<Sandbox> => {
      const running = stage.run(['sandbox', '--port', String(platformPort), '--seed', `life ${life}`]);
      await running.prints(/sandbox is ready/);
      return new Sandbox(`http://127.0.0.1:${platformPort}`, running);
    };
    let platform = await boot(0);
    const hook = await freePort();
    relay = await openRelay(hook);
    const { start, console } = await usher(stage, platform, {
      webhooks: { port: hook, publicUrl: `http://127.0.0.1:${relay.port}/webhooks/platform` },
    });
    const { running } = start();
    const ready = () => eventually(async () => expect(await statusOf(`${console}/readyz`)).toBe(200), 60_000);
    await ready();

    for (let life = 1; life <= KILLS; life += 1) {
      const before = relay.accepted.length;
      const show = await openShow(platform, life, SIZE);
      show.start();
      await eventually(() => expect(relay.accepted.length).toBeGreaterThan(before + 20), 60_000);
      await platform.running.end('SIGKILL');
      // What people were about to do then was refused.
      await show.stop().catch(() => undefined);

      await eventually(async () => {
        const response = await fetch(`${console}/readyz`);
        expect(response.status).toBe(503);
        expect(await response.text()).toMatch(
          /"name":"polling","ready":false,"reason":"The platform does not/,
        );
      }, 60_000);
      expect(await statusOf(`${console}/healthz`)).toBe(200);
      platform = await boot(life);
      await ready();
    }
    // The new platform has never heard of us but from ourselves.
    const before = relay.accepted.length;
    const show = await openShow(platform, 0, SIZE);
    show.start();
    await eventually(() => expect(relay.accepted.length).toBeGreaterThan(before + 20), 60_000);
    await show.stop();
    await eventually(async () => {
      const { deliveries } = await platform.control<{ deliveries: { state: string }[] }>('GET', 'deliveries');
      expect(deliveries.filter(({ state }) => state === 'waiting')).toEqual([]);
    }, 60_000);
    await sleep(1_000);
    expect(running.child.exitCode).toBeNull();
    expect(await running.end('SIGTERM')).toBe(0);
    await inspectJournal(stage, relay.accepted);
  },
  300_000 + KILLS * 60_000,
);
