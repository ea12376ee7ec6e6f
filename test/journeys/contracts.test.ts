import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, type Daemon, type Sandbox, Stage, TOKEN } from './processes.ts';

/** What outsiders rely on: one bot with the words, and a plugin that throws. */
const BOT = `version: 1
bot: crew
as: {screenName: Crew, role: Moderator}
defaults: {mode: enforce}
rules:
  - {id: hello, when: {command: "!hello"}, then: [{reply: "Hello {{member.name}}"}]}
  - {id: quiet, when: {command: "!once"}, then: [{reply: "once"}], cooldown: {for: 1h, per: member}}
  - {id: first, when: {command: "!stop"}, then: [{reply: "first"}], stop: true}
  - {id: second, when: {command: "!stop"}, then: [{reply: "second"}]}
  - {id: dark, when: {command: "!dark"}, then: [{reply: "never said"}], mode: shadow}
  - {id: ban, when: {command: "!ban"}, then: [{ban: 1h}]}
  - {id: on, when: stream.started, then: [{announce: "{{member.name}} is on in {{room.alias}}"}]}
  - {id: live, when: stream.live, then: [{announce: "{{member.name}} can be watched"}], cooldown: 1h}
  - {id: off, when: stream.ended, then: [{announce: "{{member.name}} is off"}]}
`;
const THROWS = `import { defineRule, z } from 'usher/plugin';
export default defineRule({
  name: 'throws',
  hears: ['message.posted'],
  mayDo: ['log.write'],
  options: z.strictObject({}),
  decide: () => {
    throw new Error('kaboom');
  },
});
`;

let stage: Stage;
let sandbox: Sandbox;
let roomId: string;
let ann: string;
beforeEach(async () => {
  stage = await Stage.open();
  await stage.bot('crew', BOT);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl);
  roomId = (await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'studio' })).room
    .roomId;
  ann = (
    await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
      roomId,
      screenName: 'Ann',
      role: 'Participant',
    })
  ).member.sessionId;
});
afterEach(() => stage.close());

const say = (message: string): Promise<unknown> =>
  sandbox.control('POST', 'messages', { roomId, sessionId: ann, message });
const answers = async (): Promise<string[]> =>
  (
    await sandbox.api<{ messages: { from: { screenName: string }; message: string }[] }>(
      'GET',
      `/room/${encodeURIComponent(roomId)}/messages`,
    )
  ).messages.flatMap(({ from, message }) => (from.screenName === 'Crew' ? [message] : []));
const running = async (): Promise<Daemon> => {
  const daemon = await stage.daemon();
  await eventually(async () => expect((await fetch(`${daemon.console}/readyz`)).status).toBe(200));
  return daemon;
};
const lines = ({ running: { output } }: Daemon): Record<string, unknown>[] =>
  output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>); // throws on what is no JSON: the point

describe('the addresses', () => {
  test('probes are open, all else needs the token; the public listener has one path; every log line is JSON', async () => {
    const daemon = await running();
    const status = async (url: string, init: RequestInit = {}): Promise<number> =>
      (await fetch(url, init)).status;
    const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await status(daemon.console + path)).toBe(200);
    for (const path of ['/bans/check?session=x&name=y', '/api', '/api/rules', '/nothing']) {
      expect(await status(daemon.console + path)).toBe(401);
      expect(await status(daemon.console + path, bearer)).toBe(404);
    }
    const { origin } = new URL(daemon.webhooks);
    for (const path of ['/', '/healthz', '/metrics', '/feed', '/webhooks'])
      expect(await status(origin + path)).toBe(404);
    expect(await status(daemon.webhooks, { method: 'DELETE' })).toBe(405);

    const metrics = (await (await fetch(`${daemon.console}/metrics`)).text()).split('\n').filter(Boolean);
    for (const line of metrics)
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[A-Za-z_:][\w:]*(\{[^}]*\})? (-?[\d.e+-]+|NaN|[+-]Inf))$/);
    await say('!hello');
    await eventually(async () => expect(await answers()).toContain('Hello Ann'));
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    expect(lines(daemon).filter(({ msg }) => String(msg).includes('usher is ready'))).toHaveLength(1);
    expect(daemon.running.output()).not.toMatch(new RegExp(`sandbox-secret|${TOKEN}`));
  });
});

describe('the words of a rule', () => {
  test('shadow says nothing, a cooldown once, and what comes after a stop is not asked', async () => {
    const daemon = await running();
    for (const message of ['!dark', '!once', '!once', '!stop', '!hello']) await say(message);
    await eventually(async () => expect(await answers()).toEqual(['once', 'first', 'Hello Ann']));
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    expect(daemon.running.output()).toMatch(/1 message\.send shadowed/);
  });

  test('a stream is answered where it is, also when its notification names no place', async () => {
    const daemon = await running();
    const { streamId } = await sandbox.control<{ streamId: string }>('POST', 'streams', {
      roomId,
      sessionId: ann,
      capabilities: ['hd', 'streaming'],
    });
    await eventually(async () => expect(await answers()).toEqual(['Ann is on in studio']));
    await sandbox.control('POST', 'playlists', { streamId });
    await eventually(async () => expect((await answers()).at(-1)).toBe('Ann can be watched'));
    await sandbox.control('DELETE', 'streams', { streamId });
    await eventually(async () => expect((await answers()).at(-1)).toBe('Ann is off'));
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    const journal = stage.run(['events', '--json', '--room', 'studio', '--type', 'stream.live']);
    expect(await journal.ended).toBe(0);
    expect(journal.output()).toContain(JSON.stringify(streamId).slice(1, -1));
  });

  test('a plugin that throws loses its event, its neighbours answer, and the log says which one it was', async () => {
    await mkdir(join(stage.folder, 'plugins'));
    await writeFile(join(stage.folder, 'plugins', 'throws.ts'), THROWS);
    await stage.bot('crew', `${BOT}  - {id: bad, use: throws, grants: [log.write]}\n`);
    await stage.configure(sandbox.baseUrl, { plugins: '../plugins' });
    const daemon = await running();
    await say('!hello');
    await eventually(async () => expect(await answers()).toEqual(['Hello Ann']));
    await daemon.running.prints(/"rule":"bad".*"error":"kaboom"/);
    expect((await fetch(`${daemon.console}/readyz`)).status).toBe(200);
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });
});

describe('the end and the next start', () => {
  test('a SIGTERM in the middle of work ends with 0, and what was asked is answered once, then or later', async () => {
    await sandbox.control('POST', 'faults', { operation: 'sendMessage', delay: '150ms', count: 'always' });
    const daemon = await running();
    await Promise.all(Array.from({ length: 10 }, () => say('!hello')));
    await eventually(async () => expect((await answers()).length).toBeGreaterThan(0));
    expect(await daemon.running.end('SIGTERM')).toBe(0);
    const again = await running();
    await eventually(async () => expect(await answers()).toEqual(Array(10).fill('Hello Ann')));
    expect(await again.running.end('SIGTERM')).toBe(0);
    expect(await answers()).toHaveLength(10);
  });

  test('a damaged journal stops the start and says what to do; a damaged operator file gives way to its copy', async () => {
    const first = await running();
    await say('!ban');
    const operator = join(stage.folder, 'data', 'operator.json');
    await eventually(async () => expect(await readFile(operator, 'utf8')).toContain('"Ann"'));
    expect(await first.running.end('SIGTERM')).toBe(0);

    await writeFile(operator, '{"bans": [');
    const second = await running();
    await second.running.prints(/operator file was damaged/);
    expect(await readFile(operator, 'utf8')).toContain('"Ann"');
    expect(await second.running.end('SIGTERM')).toBe(0);

    await writeFile(join(stage.folder, 'data', 'usher.db'), 'x'.repeat(10_000));
    const third = stage.run(['start']);
    expect(await third.ended).toBe(1);
    expect(third.output()).toMatch(/usher\.db is damaged.*usher doctor/);
  });
});

describe('the sandbox', () => {
  test('one seed gives the same ids again, another one others', async () => {
    const idsOf = async (seed: string): Promise<string[]> => {
      const other = await stage.sandbox(['--seed', seed]);
      const { room } = await other.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'a' });
      const { streamId } = await other.control<{ streamId: string }>('POST', 'streams', {
        roomId: room.roomId,
        screenName: 'Ann',
      });
      expect(await other.running.end('SIGTERM')).toBe(0);
      return [room.roomId, streamId];
    };
    const [first, same, different] = [await idsOf('42'), await idsOf('42'), await idsOf('43')];
    expect(same).toEqual(first);
    expect(different[0]).not.toBe(first[0]);
  });
});
