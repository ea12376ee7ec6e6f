import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, Stage, type Daemon, type Sandbox } from './processes.ts';

/** Takes its time with each stream of one room; the event loop stands still meanwhile. */
const SLOW = `
import { defineRule, z } from 'usher/plugin';

const bench = new Int32Array(new SharedArrayBuffer(4));
export default defineRule({
  name: 'slow',
  hears: ['stream.started'],
  mayDo: ['log.write'],
  options: z.strictObject({}),
  decide: () => {
    Atomics.wait(bench, 0, 0, 20);
    return [];
  },
});
`;
const SLOW_BOT = `
version: 1
bot: slow
in: {rooms: [crowded]}
defaults: {mode: enforce}
rules: [{id: slow, use: slow, grants: [log.write]}]
`;
const QUICK_BOT = `
version: 1
bot: quick
in: {rooms: [quiet]}
defaults: {mode: enforce}
rules: [{id: hello, when: {command: "!hello"}, then: [{reply: "Hello {{member.name}}"}]}]
`;

let stage: Stage;
let sandbox: Sandbox;
let daemon: Daemon;
beforeEach(async () => {
  stage = await Stage.open();
  await stage.bot('slow', SLOW_BOT);
  await stage.bot('quick', QUICK_BOT);
  await mkdir(join(stage.folder, 'plugins'));
  await writeFile(join(stage.folder, 'plugins', 'slow.ts'), SLOW);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl, { plugins: '../plugins', inbox: { events: 200 } });
});
afterEach(() => stage.close());

const room = async (alias: string): Promise<string> =>
  (await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias })).room.roomId;
const joined = async (roomId: string, screenName: string): Promise<string> =>
  (
    await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
      roomId,
      screenName,
      role: 'Participant',
    })
  ).member.sessionId;
const unready = async (): Promise<readonly string[]> => {
  const text = await (await fetch(`${daemon.console}/readyz`)).text();
  return [...text.matchAll(/"ready":false[^}]*/g)].map(([found]) => found);
};
const metric = async (pattern: RegExp): Promise<number> =>
  Number(pattern.exec(await (await fetch(`${daemon.console}/metrics`)).text())?.[1] ?? 0);

const A_LONG_WAIT = { timeout: 240_000 };
test(
  'a crowded room is shed with 503 and heard in the end; a quiet one is answered all the while',
  A_LONG_WAIT,
  async () => {
    const [crowded, quiet] = [await room('crowded'), await room('quiet')];
    const [ann, host] = [await joined(quiet, 'Ann'), await joined(crowded, 'Host')];
    daemon = await stage.daemon();
    await eventually(async () => expect(await unready()).toEqual([]), 30_000);

    const shed = (): Promise<number> =>
      metric(/usher_notification_answered_total\{answer="503",reason="inbox-full"\} (\d+)/);
    let streams = 0;
    const flood = (async () => {
      for (; streams === 0 || (await shed()) === 0; streams += 50) {
        await Promise.all(
          Array.from({ length: 50 }, () =>
            sandbox.control('POST', 'streams', { roomId: crowded, sessionId: host, capabilities: ['hd'] }),
          ),
        );
      }
    })();
    await sandbox.control('POST', 'messages', { roomId: quiet, sessionId: ann, message: '!hello' });
    await eventually(async () => {
      const { messages } = await sandbox.api<{ messages: { message: string }[] }>(
        'GET',
        `/room/${encodeURIComponent(quiet)}/messages`,
      );
      expect(messages.map(({ message }) => message)).toContain('Hello Ann');
    }, 30_000);
    await flood;

    // Told once, not a hundred times; and it says what holds so much.
    const told = daemon.running
      .output()
      .split('\n')
      .filter((line) => line.includes('are answered 503'));
    expect(told.length).toBeLessThan(8);
    expect(told[0]).toMatch(/alone holds|inbox holds/);

    // The platform sends again what was shed, and each is heard once.
    await eventually(async () => {
      expect(await metric(/usher_events_total\{type="stream.started"\} (\d+)/)).toBe(streams);
      expect(await metric(/usher_inbox_events (\d+)/)).toBe(0);
    }, 120_000);
    await eventually(async () => expect(await unready()).toEqual([]), 60_000);
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  },
);
