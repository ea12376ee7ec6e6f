import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signNotification } from '../../src/platform/index.ts';
import { eventually, Stage, type Daemon, type Running, type Sandbox } from './processes.ts';

/** Secrets that no output may hold, and no file. */
const SECRET = 'canary-platform-secret';
const OLD_SECRET = 'canary-secret-before-rotation';
const TOKEN = 'canary-console-token-0123456789';
const PAGER_KEY = 'canary-pager-key';
const PLUGIN_KEY = 'canary-key-of-a-plugin';
const BASIC = Buffer.from(`demo:${SECRET}`).toString('base64');
const UNVERIFIED = 'canary-of-a-stranger';
/** Of a stream: it is data, so the journal holds it, and nothing shows it. */
const STREAM_TOKEN = 'canary-stream-token';

const ENVIRONMENT = {
  USHER_SECRET: SECRET,
  USHER_OLD_SECRET: OLD_SECRET,
  USHER_CONSOLE_TOKEN: TOKEN,
  USHER_PAGER_KEY: PAGER_KEY,
  USHER_PLUGIN_KEY: PLUGIN_KEY,
};
const botNotifying = (address: string): string => `version: 1
bot: crew
as: {screenName: Crew, role: Moderator}
defaults: {mode: enforce}
notify: {mods: {webhook: "${address}/\${USHER_PAGER_KEY}"}}
rules:
  - {id: hello, when: {command: "!hello"}, then: [{reply: "Hello {{member.name}}"}, {notify: mods}]}
  - {id: careless, use: careless, with: {key: "\${USHER_PLUGIN_KEY}"}, grants: [log.write]}
`;
/** Throws all that it can see. */
const PLUGIN = `import { defineRule, z } from 'usher/plugin';
export default defineRule({
  name: 'careless',
  hears: ['message.posted'],
  mayDo: ['log.write'],
  options: z.strictObject({ key: z.string() }),
  decide: (event, { options }) => {
    const seen = options.key + JSON.stringify(Object.entries(process.env).filter(([name]) => name.startsWith('USHER_')));
    const late = (message: string) => {
      const error = Object.assign(new Error(message + seen), { headers: { authorization: 'Bearer ' + seen } });
      // Without a line of a plugin in it, it is a fault of usher's own.
      if (message === 'crashed with ') error.stack = 'Error: ' + error.message;
      setTimeout(() => { throw error; });
    };
    if (event.text === '!crash') late('crashed with ');
    if (event.text === '!stray') late('strayed with ');
    if (event.text === '!throw') throw new Error('thrown with ' + seen);
    return [];
  },
});
`;

let stage: Stage;
let sandbox: Sandbox;
let daemon: Daemon;
let room: { roomId: string; streamKey: string };
let sessionId: string;
const shown: string[] = [];
const pager = createServer((_request, response) => response.end());

async function start(): Promise<Daemon> {
  const running = stage.run(['start'], {
    ...ENVIRONMENT,
    NODE_OPTIONS: '--report-on-signal --report-uncaught-exception --report-filename=report.json',
  });
  const line = JSON.parse((await running.prints(/^.*usher is ready.*$/m))[0]) as {
    webhooks: string;
    console: string;
  }; // the ready line's contract
  return { running, ...line };
}

beforeEach(async () => {
  shown.length = 0;
  stage = await Stage.open();
  await mkdir(join(stage.folder, 'plugins'));
  await writeFile(join(stage.folder, 'plugins', 'careless.ts'), PLUGIN);
  sandbox = await stage.sandbox(['--secret', SECRET]);
  await new Promise<void>((resolve) => pager.listen(0, '127.0.0.1', resolve));
  await stage.bot('crew', botNotifying(`http://127.0.0.1:${(pager.address() as AddressInfo).port}`)); // a TCP listener's address
  await stage.configure(sandbox.baseUrl, {
    plugins: '../plugins',
    webhooks: { port: 0, secrets: ['${USHER_OLD_SECRET}'] },
    egress: { deadline: '500ms', grace: '500ms' },
  });
  ({ room } = await sandbox.control<{ room: typeof room }>('POST', 'rooms', { alias: 'studio' }));
  const { member } = await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
    roomId: room.roomId,
    screenName: 'Ann',
  });
  ({ sessionId } = member);
  daemon = await start();
});
afterEach(async () => {
  await stage.close();
  await new Promise((resolve) => pager.close(resolve));
});

const say = (message: string): Promise<unknown> =>
  sandbox.control('POST', 'messages', { roomId: room.roomId, sessionId, message });

/** Sends a notification as the platform would, or as a stranger. */
async function notify(secret: string, streamId: string, more: object = {}): Promise<number> {
  const body = JSON.stringify({
    apiVersion: 0,
    entity: 'stream',
    what: 'live',
    sessionId,
    timestamp: new Date().toISOString(),
    data: {
      streamId,
      uri: `https://cdn.example/x.m3u8?streamToken=${STREAM_TOKEN}`,
      isPrimary: true,
      tags: [],
      ...more,
    },
  });
  const target = new URL(daemon.webhooks).pathname;
  const signed = signNotification({
    secret,
    method: 'POST',
    target,
    contentType: 'application/json',
    timestamp: String(Date.now()),
    body,
  });
  const answer = await fetch(daemon.webhooks, { method: 'POST', headers: signed, body });
  shown.push(await answer.text());
  return answer.status;
}

const run = async (running: Running): Promise<void> => {
  await running.ended;
  shown.push(running.output());
};

/** All that the console gives away, with and without its token. */
async function askConsole(): Promise<void> {
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/',
    '/api',
    '/api/rules',
    '/feed',
    `/feed?token=${TOKEN}`.replace(TOKEN, 'x'),
  ])
    for (const headers of [{}, { authorization: `Bearer ${TOKEN}` }, { authorization: `Bearer ${TOKEN}x` }]) {
      const answer = await fetch(daemon.console + path, { headers });
      shown.push(JSON.stringify([...answer.headers]), await answer.text());
    }
}

const CANARIES: readonly (readonly [string, () => string])[] = [
  ['the secret', () => SECRET],
  ['the secret before it', () => OLD_SECRET],
  ['the console’s token', () => TOKEN],
  ['the key of a webhook', () => PAGER_KEY],
  ['the key of a plugin', () => PLUGIN_KEY],
  ['credentials as they are sent', () => BASIC],
  ['what a stranger sent', () => UNVERIFIED],
  ['the key of a room', () => room.streamKey],
];
const found = (where: string, more: readonly string[] = []): readonly string[] =>
  [
    ...CANARIES.map(([name, value]) => [name, value()] as const),
    ...more.map((value) => [value, value] as const),
  ]
    .filter(([, value]) => where.includes(value))
    .map(([name]) => name);

/** What docs/security.md says that the data folder holds. */
const STATED =
  /^(usher\.db(-wal|-shm|\.lock(-journal)?|\.owner|\.reached)?|operator\.json(\.bak)?|deaths\.json|plugins\/[0-9a-f]{16}\.mjs)$/;

async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path)));
    else files.push(path);
  }
  return files;
}

/** Nothing that was shown holds a secret, and no file of the data folder, which is its owner's alone. */
async function nothingLeaked(): Promise<void> {
  shown.push(daemon.running.output());
  expect(shown.join('').length).toBeGreaterThan(1_000);
  expect(found(shown.join('\n'), [STREAM_TOKEN])).toEqual([]);
  const data = join(stage.folder, 'data');
  expect(((await stat(data)).mode & 0o777).toString(8)).toBe('700');
  const files = await filesBelow(data);
  const names = files.map((file) => file.slice(data.length + 1));
  expect(names).toContain('usher.db');
  expect(names.filter((name) => !STATED.test(name))).toEqual([]);
  for (const file of files) {
    expect(found(await readFile(file, 'latin1')).map((name) => `${name} in ${file}`)).toEqual([]);
    expect(`${file} ${((await stat(file)).mode & 0o077).toString(8)}`).toBe(`${file} 0`);
  }
}

describe('no secret is shown or kept', () => {
  test('when all goes well, and when a report is asked for', async () => {
    const feed: string[] = [];
    const socket = new WebSocket(`${daemon.console.replace('http', 'ws')}/feed`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    socket.on('message', (data: Buffer) => feed.push(data.toString()));
    await new Promise((resolve) => socket.once('open', resolve));
    const follower = stage.run(['events', '--follow', '--console', daemon.console], {
      USHER_CONSOLE_TOKEN: TOKEN,
    });
    expect(await notify(SECRET, 'us#one')).toBe(200);
    expect(await notify(OLD_SECRET, 'us#two')).toBe(200);
    expect(await notify('guess', 'us#three', { note: UNVERIFIED })).toBe(401);
    await eventually(async () => {
      await say('is anybody there?');
      expect(follower.output()).toContain('is anybody there?');
    });
    await say('!hello');
    await eventually(() => {
      for (const pattern of [/us#one/, /us#two/, /"message\.send"[^}]*"performed"/, /"notify\.send"/])
        expect(feed.join()).toMatch(pattern);
    });
    await askConsole();
    daemon.running.child.kill('SIGUSR2');
    const report = join(stage.folder, 'report.json');
    await eventually(async () => expect(JSON.parse(await readFile(report, 'utf8'))).toHaveProperty('header'));
    shown.push(await readFile(report, 'utf8'), feed.join('\n'));
    socket.terminate();
    await follower.end('SIGINT');
    shown.push(follower.output());
    await run(stage.run(['events', '--limit', '1000']));
    await run(stage.run(['events', '--json', '--limit', '1000']));
    expect(shown.at(-1)).toContain('streamToken=[redacted]');
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    await nothingLeaked();
  });

  test('when the platform fails in every way, and quotes the request while it does', async () => {
    const echo = `<html>You sent Authorization: Basic ${BASIC} (${SECRET}), X-Key: ${room.streamKey}, https://u:${SECRET}@host/?token=${TOKEN}</html>`;
    const faults = [
      { status: 401, body: echo },
      { status: 400, body: { status: echo, secret: SECRET } },
      { status: 404, body: echo },
      { status: 500, body: echo, contentType: 'application/json' },
      { status: 503, body: echo },
      { status: 504, body: echo },
      { status: 200, body: echo },
      { status: 200, body: { status: 'ok', rooms: echo, messages: echo, members: echo } },
      { status: 302, headers: { location: `https://evil.example/?secret=${SECRET}` } },
      { reset: true },
      { truncate: true },
      { hang: true },
    ];
    for (const fault of faults) {
      await sandbox.control('POST', 'faults', { operation: '*', count: 12, ...fault });
      await say('!hello');
      await new Promise((resolve) => setTimeout(resolve, 250));
      await askConsole();
    }
    await sandbox.control('DELETE', 'faults');
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    await run(stage.run(['events', '--json', '--limit', '5000']));
    await nothingLeaked();
  });

  test('when a plugin throws all that it sees, and when that brings the daemon down', async () => {
    await say('!throw');
    await daemon.running.prints(/"rule":"careless"/);
    await say('!stray');
    await daemon.running.prints(/strayed with/);
    await askConsole();
    await say('!crash');
    expect(await daemon.running.ended).toBe(1);
    expect(daemon.running.output()).toMatch(/"msg":"usher ends by a fault of its own/);
    for (const file of (await readdir(stage.folder)).filter((name) => name.endsWith('.json')))
      shown.push(await readFile(join(stage.folder, file), 'utf8'));
    await run(stage.run(['events', '--json']));
    expect(shown.at(-1)).toContain('thrown with [redacted]');
    await nothingLeaked();
  });

  test('when configuration and bots are wrong where the secrets stand', async () => {
    await stage.bot('crew', botNotifying('no address').replace('key:', 'kee:'));
    await daemon.running.prints(/rules not reloaded/);
    await run(stage.run(['check'], ENVIRONMENT));
    expect(shown.at(-1)).toContain('kee');
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    for (const more of [
      { platform: { baseUrl: `http://u:${SECRET}@platform.example`, applicationId: 'demo', secret: SECRET } },
      {
        platform: { baseUrl: '${USHER_SECRET}', applicationId: 'demo', secret: '${USHER_SECRET}' },
        console: { port: '${USHER_CONSOLE_TOKEN}', token: { it: '${USHER_CONSOLE_TOKEN}' } },
        webhooks: { port: 0, path: '${USHER_OLD_SECRET}', secrets: '${USHER_OLD_SECRET}' },
      },
    ]) {
      await stage.configure(sandbox.baseUrl, { plugins: '../plugins', ...more });
      const wrong = stage.run(['start'], ENVIRONMENT);
      expect(await wrong.ended).toBe(78);
      await run(wrong);
    }
    await nothingLeaked();
  });
});
