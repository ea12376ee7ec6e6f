/**
 * The control of the drill: the bot that one writes in an afternoon. It answers a notification, then acts; it repeats a
 * request until that has worked; what it knows it keeps in memory, and after a start it reads on from a little before.
 * `node naive-bot.mjs BASE_URL PORT`
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerTo, BOT_NAME, KIND, MARKER, SLUR } from './house.ts';

const [baseUrl = '', port = '0'] = process.argv.slice(2);
const AUTHORIZATION = `Basic ${Buffer.from('demo:sandbox-secret').toString('base64')}`;
const REQUEST_MS = 2_000;
const AGAIN_MS = 250;
const POLL_MS = 500;
/** After a start, messages as old as this are still answered. */
const READ_BACK_MS = 3_000;

interface Said {
  readonly messageId: string;
  readonly timestamp: number;
  readonly from: { readonly screenName: string };
  readonly message: string;
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${baseUrl}/svc${path}`, {
    method,
    signal: AbortSignal.timeout(REQUEST_MS),
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()) as T; // the interface's contract
}

async function untilItWorks<T>(method: string, path: string, body?: object): Promise<T> {
  for (;;) {
    try {
      return await call<T>(method, path, body);
    } catch {
      await sleep(AGAIN_MS); // whatever it was: once more
    }
  }
}

const credentials = { applicationId: 'demo', secret: 'sandbox-secret' };
const rooms = new Map<string, { cameras: string[]; composition?: string }>();
const roomOf = new Map<string, string>();
const censored = new Set<string>();
const strikes = new Map<string, number>();
const startedAt = Date.now();
let compositions = 0;

const roomWith = (id: string) => {
  const room = rooms.get(id) ?? { cameras: [] };
  rooms.set(id, room);
  return room;
};

async function onStarted(streamId: string, sessionId: string, tags: readonly string[]): Promise<void> {
  const roomId = tags.find((tag) => tag.startsWith('roomId:'))?.slice('roomId:'.length);
  if (roomId === undefined) return;
  roomOf.set(streamId, roomId);
  if (censored.has(sessionId)) {
    await untilItWorks('DELETE', '/stream', { credentials, streamId, reason: 'censored' });
    return;
  }
  await untilItWorks('POST', '/transcoding', {
    credentials,
    transcoding: { type: 'HLS', quality: 'hd', originStreamId: streamId, onDemand: false },
  });
  if (!tags.includes(KIND.camera)) return;
  const room = roomWith(roomId);
  room.cameras.push(streamId);
  await compose(room);
}

async function onEnded(streamId: string, sessionId: string, reason: string): Promise<void> {
  if (reason === 'censored') censored.add(sessionId);
  const room = roomWith(roomOf.get(streamId) ?? '');
  if (!room.cameras.includes(streamId)) return;
  room.cameras = room.cameras.filter((id) => id !== streamId);
  await compose(room);
}

async function compose(room: { cameras: string[]; composition?: string }): Promise<void> {
  const streams = room.cameras.map((streamId) => ({ streamId }));
  const { composition } = room;
  if (composition === undefined && streams.length >= 2) {
    const tags = [`op:naive-${process.pid}-${(compositions += 1)}`];
    const made = await untilItWorks<{ compositionId?: string }>('POST', '/composition', {
      credentials,
      composition: { type: 'PictureInPicture', streams, capabilities: ['hd'], tags },
    });
    if (made.compositionId !== undefined) room.composition = made.compositionId;
  } else if (composition !== undefined && streams.length < 2) {
    delete room.composition;
    await untilItWorks('DELETE', `/composition/${encodeURIComponent(composition)}`, { credentials });
  } else if (composition !== undefined) {
    await untilItWorks('PUT', `/composition/${encodeURIComponent(composition)}`, { credentials, streams });
  }
}

async function say(roomId: string, text: string, mimeType = 'text/plain'): Promise<void> {
  await untilItWorks('PUT', `/room/${encodeURIComponent(roomId)}/message`, {
    message: {
      from: { screenName: BOT_NAME, role: 'Moderator', lastUpdate: Date.now() },
      mimeType,
      message: text,
      tags: [],
    },
  });
}

async function hear(roomId: string, { from, message, messageId }: Said): Promise<void> {
  const before = strikes.get(from.screenName) ?? 0;
  const answer = from.screenName === BOT_NAME ? undefined : answerTo(from.screenName, message, before);
  if (answer === undefined) return;
  if (message.includes(SLUR)) {
    strikes.set(from.screenName, before + 1);
    await say(roomId, JSON.stringify({ v: 1, hide: [messageId] }), MARKER);
  }
  await say(roomId, answer);
}

async function listen(roomId: string): Promise<void> {
  let after = '';
  for (;;) {
    const path = `/room/${encodeURIComponent(roomId)}/messages?limit=100${after}`;
    const { messages = [] } = await untilItWorks<{ messages?: Said[] }>('GET', path);
    for (const message of messages)
      if (after !== '' || message.timestamp > startedAt - READ_BACK_MS) await hear(roomId, message);
    const last = messages.at(-1);
    if (last) after = `&afterMessageId=${encodeURIComponent(last.messageId)}`;
    await sleep(POLL_MS);
  }
}

interface Notification {
  readonly what: string;
  readonly sessionId: string;
  readonly data: { readonly streamId: string; readonly tags?: readonly string[]; readonly reason?: string };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.end('ok');
    const { what, sessionId, data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Notification; // interface.md
    if (what === 'started') void onStarted(data.streamId, sessionId, data.tags ?? []);
    if (what === 'ended') void onEnded(data.streamId, sessionId, data.reason ?? '');
  });
});
server.listen(Number(port), '127.0.0.1', () => void begin());

async function begin(): Promise<void> {
  const callback = {
    protocol: 'http',
    host: '127.0.0.1',
    port: Number(port),
    method: 'POST',
    path: '/hook',
    query: '',
  };
  await untilItWorks('PUT', '/application/demo/callback', { credentials, callback });
  const { rooms: open = [] } = await untilItWorks<{ rooms?: { roomId: string }[] }>(
    'GET',
    '/rooms?type=MultiPartyChat',
  );
  for (const { roomId } of open) void listen(roomId);
  process.stdout.write('ready\n');
}
