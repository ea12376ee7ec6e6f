import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import type { WebhookReceiverSettings } from '../../src/ingress/webhook-receiver.ts';
import { eventually } from '../journeys/processes.ts';
import {
  besiegedReceiver,
  bytesOf,
  PATH,
  signedLetter,
  startedBody,
  type BesiegedReceiver,
} from './besieged-receiver.ts';

let receiver: BesiegedReceiver;
const besiege = async (settings: Partial<WebhookReceiverSettings> = {}): Promise<void> => {
  receiver = await besiegedReceiver(settings);
};
afterEach(() => receiver.stop());

let sent = 0;
const good = (): Promise<readonly number[]> => {
  sent += 1;
  return receiver.send(signedLetter({ body: startedBody(`good ${sent}`) }));
};
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

/** What is held after all garbage is collected, buffers included. */
const bytesInUse = async (): Promise<number> => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // there since the flag was set
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: usher\r\n`;

describe('the platform is served while others', () => {
  const attacks: readonly [string, (socket: Socket) => void][] = [
    ['say nothing', () => {}],
    ['never end their head', (socket) => socket.write(`${HEAD}X-A: `)],
    ['never end their body', (socket) => socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`)],
    ['never end a chunk', (socket) => socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nFFFF\r\n{`)],
    [
      'wait for a word that they may go on',
      (socket) => socket.write(`${HEAD}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n`),
    ],
    ['hang up in the middle', (socket) => socket.write(HEAD, () => socket.destroy())],
    [
      'send more than they may',
      (socket) => socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n80000\r\n${'x'.repeat(0x80000)}`),
    ],
    ['ask and never read', (socket) => socket.pause().write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(500))],
    ['send noise', (socket) => socket.write(Buffer.alloc(30_000, 0xff))],
  ];
  test.each(attacks)('%s', async (_, attack) => {
    await besiege();
    for (let index = 0; index < 100; index += 1) {
      const socket = receiver.open();
      socket.once('connect', () => attack(socket));
    }
    for (let index = 0; index < 20; index += 1) expect(await good()).toEqual([200]);
    expect(receiver.intake.events).toHaveLength(20);
    expect(receiver.log.lines).toEqual([]);
  });
});

describe('what attackers can take is bounded', () => {
  test('slow heads and bodies are cut off by the listener itself', async () => {
    await besiege({ requestTimeoutMs: 400 });
    const slow = [`${HEAD}X-A: `, `${HEAD}Content-Length: 1000\r\n\r\n{`, ''].map((text) => {
      const socket = receiver.open().resume();
      // A byte now and then does not prolong it.
      const drip = setInterval(() => socket.write('x'), 100);
      socket.once('close', () => clearInterval(drip));
      socket.write(text);
      return socket;
    });
    await Promise.all(slow.map(closed));
    expect(await good()).toEqual([200]);
  });

  test('with all places taken by slow ones, the platform gets in when their time is over', async () => {
    await besiege({ maxConnections: 10, requestTimeoutMs: 500 });
    for (let index = 0; index < 40; index += 1) receiver.open().write(HEAD);
    await eventually(async () => expect(await good()).toEqual([200]));
  });

  test('with all places kept warm by idle ones, the platform gets in at its next try', async () => {
    await besiege({ maxConnections: 10 });
    const idle = Array.from({ length: 10 }, (_, index) => {
      const socket = receiver.open();
      // Verified once, so that the connection stays open: only the platform gets so far, or who recorded it.
      socket.write(bytesOf(signedLetter({ body: startedBody(`idle ${index}`) })));
      return new Promise<void>((resolve) => socket.once('data', () => resolve()));
    });
    await Promise.all(idle);
    // Idle for longer than this, they would keep their places until they were cut as silent.
    await eventually(async () => expect(await good()).toEqual([200]), 5_000);
  });

  test('bodies that are small enough alone do not fill the memory together', async () => {
    const maxHeldBytes = 1024 * 1024;
    await besiege({ maxHeldBytes, requestTimeoutMs: 30_000 });
    const piece = Buffer.alloc(200 * 1024, 0x20);
    const holders = Array.from({ length: 12 }, () => {
      const socket = receiver.open().resume();
      socket.write(`${HEAD}Content-Length: ${piece.length + 1}\r\n\r\n`);
      socket.write(piece);
      return socket;
    });
    // Some are sent away with 503 at once; what the rest holds leaves no room for a large one, until they go.
    await eventually(() =>
      expect(receiver.counted.of('notification.answered 503 no-room')).toBeGreaterThan(0),
    );
    const large = signedLetter({ body: Buffer.concat([Buffer.from('{}'), piece]) });
    await eventually(async () => expect(await receiver.send(large)).toEqual([503]));
    for (const socket of holders) socket.destroy();
    await eventually(async () => expect(await receiver.send(large)).toEqual([200]));
    expect(await good()).toEqual([200]);
  });

  test('thousands of refused requests leave nothing behind', async () => {
    await besiege();
    const refused = `${HEAD}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`;
    const storm = async (requests: number): Promise<void> => {
      for (let left = requests; left > 0; left -= 50)
        await Promise.all(Array.from({ length: 50 }, () => receiver.exchange(refused)));
    };
    await storm(500);
    const before = await bytesInUse();
    await storm(3_000);
    // Their bodies alone were 60 MB.
    expect((await bytesInUse()) - before).toBeLessThan(20_000_000);
    expect(receiver.counted.of('notification.answered')).toBe(3_500);
    expect(await good()).toEqual([200]);
  });
});
