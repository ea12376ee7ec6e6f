import { connect, type Socket } from 'node:net';
import { createWebhookReceiver, type WebhookReceiverSettings } from '../../src/ingress/webhook-receiver.ts';
import { signNotification } from '../../src/platform/index.ts';
import { recordingCount, recordingIntake, recordingLog } from '../ingress/recorders.ts';
import { virtualClock } from '../ingress/virtual-clock.ts';

export const PATH = '/webhooks/platform';
export const NOW = 1_800_000_000_000;
const SECRET = 'a-secret-that-attackers-lack';

export const startedBody = (streamId: string): string =>
  JSON.stringify({
    apiVersion: 0,
    entity: 'stream',
    what: 'started',
    data: { streamId, tags: ['roomId:us#room'] },
    sessionId: 'us#session',
    timestamp: '2027-01-15T07:59:59.500Z',
  });

export interface Letter {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** A notification as the platform sends it, ready to be tampered with. */
export function signedLetter(
  of: { body?: string | Buffer; target?: string; timestamp?: string; method?: string; secret?: string } = {},
): Letter {
  const { target = PATH, method = 'POST', timestamp = String(NOW), secret = SECRET } = of;
  const body = Buffer.from(of.body ?? startedBody('us#stream'));
  const signed = signNotification({
    secret,
    method,
    target,
    contentType: 'application/json',
    timestamp,
    body,
  });
  return {
    method,
    target,
    headers: [['host', 'usher'], ['content-length', String(body.length)], ...Object.entries(signed)],
    body,
  };
}

/** Latin-1 in the head, so that a test can put any byte there. */
export const bytesOf = ({ method, target, headers, body }: Letter): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      'latin1',
    ),
    body,
  ]);

/** The statuses of all answers on one connection, in order; interim ones (1XX) are left out. */
export const statusesOf = (answers: string): readonly number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)).filter((n) => n >= 200);

/** The real receiver on a real socket; only its intake, its log and the time of day are recorded ones. */
export async function besiegedReceiver(settings: Partial<WebhookReceiverSettings> = {}) {
  const [intake, log, counted] = [recordingIntake(), recordingLog(), recordingCount()];
  const receiver = createWebhookReceiver(
    { host: '127.0.0.1', port: 0, path: PATH, secrets: [SECRET], ...settings },
    {
      intake,
      operator: { timestampUnit: () => undefined, lockTimestampUnit: () => Promise.resolve() },
      clock: virtualClock(NOW),
      log,
      count: counted.count,
    },
  );
  const { port } = await receiver.start();
  const sockets = new Set<Socket>();

  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    // An attacker minds neither a reset nor a refusal: what counts is what the others see.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  /** Sends the bytes, says that no more come, and resolves with all that came back when the connection is closed. */
  const exchange = (bytes: Buffer | string): Promise<string> =>
    new Promise((resolve) => {
      const socket = open();
      let answers = '';
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => (answers += chunk));
      socket.on('close', () => resolve(answers));
      socket.end(bytes, 'latin1');
    });
  const send = async (letter: Letter): Promise<readonly number[]> =>
    statusesOf(await exchange(bytesOf(letter)));

  return {
    port,
    intake,
    log,
    counted,
    open,
    exchange,
    send,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await receiver.stop(0);
    },
  };
}

export type BesiegedReceiver = Awaited<ReturnType<typeof besiegedReceiver>>;
