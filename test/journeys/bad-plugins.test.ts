import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BLOCKED_EXIT_CODE } from '../../src/daemon/end-process.ts';
import { eventually, Stage, type Daemon, type Sandbox } from './processes.ts';

const PLUGIN = `
import { defineRule, reply, z } from 'usher/plugin';

export default defineRule({
  name: 'loops',
  hears: ['message.posted'],
  mayDo: ['message.send'],
  options: z.strictObject({}),
  decide: (event) => {
    while (event.text.includes('poison'));
    if (event.text.includes('astray')) {
      setTimeout(() => { throw new Error('a timer astray'); }, 1);
      void Promise.reject(new Error('a promise astray'));
      void Promise.reject('words astray');
    }
    return [reply(event, 'looked at ' + event.text)];
  },
});
`;
const BOT = `
version: 1
bot: crew
in: {rooms: ["*"], channels: ["*"]}
defaults: {mode: enforce}
rules:
  - {id: loops, use: loops, grants: [message.send]}
  - {id: neighbour, when: {command: "!poison"}, then: [{reply: "the neighbour heard it"}]}
`;
/** Long for a busy machine too, where honest work takes its time. */
const WATCHDOG = { warnAfter: '1s', endAfter: '6s' };
/** How long the daemon is frozen: longer than a blocked rule would live. */
const FROZEN_MS = 7_500;
const TIMEOUT_MS = 180_000;
const PATIENCE_MS = 60_000;

let stage: Stage;
let sandbox: Sandbox;
let roomId: string;
let sessionId: string;
beforeEach(async () => {
  stage = await Stage.open();
  await stage.bot('crew', BOT);
  await mkdir(join(stage.folder, 'plugins'));
  await writeFile(join(stage.folder, 'plugins', 'loops.ts'), PLUGIN);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl, { plugins: '../plugins', watchdog: WATCHDOG });
  const { room } = await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'studio' });
  roomId = room.roomId;
  const { member } = await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
    roomId,
    screenName: 'Ann',
    role: 'Participant',
  });
  sessionId = member.sessionId;
});
afterEach(() => stage.close());

const say = async (message: string): Promise<void> =>
  void (await sandbox.control('POST', 'messages', { roomId, sessionId, message }));
const texts = async (): Promise<readonly string[]> => {
  const { messages } = await sandbox.api<{ messages: readonly { readonly message: string }[] }>(
    'GET',
    `/room/${encodeURIComponent(roomId)}/messages`,
  );
  return messages.map(({ message }) => message);
};
const deaths = async (): Promise<number> => {
  const text = await readFile(join(stage.folder, 'data', 'deaths.json'), 'utf8').catch(() => '{"deaths":[]}');
  return (JSON.parse(text) as { readonly deaths: readonly unknown[] }).deaths.length; // as the watchdog writes it
};

describe('a rule that loops for ever', { timeout: TIMEOUT_MS }, () => {
  test('is named and ends the daemon, twice; then its event is set aside and everything else goes on', async () => {
    const first = await stage.daemon();
    await say('hello');
    await eventually(async () => expect(await texts()).toContain('looked at hello'));
    await say('!poison');
    await first.running.prints(
      /"level":40.*"bot":"crew","rule":"loops","event":"message\.posted room:[^"]+"/,
    );
    expect(await first.running.ended).toBe(BLOCKED_EXIT_CODE);
    expect(first.running.output()).toMatch(/"level":60.*crew\/loops blocks the event loop/);

    // A kill is no death of a rule's: were it counted, the event would be set aside too early.
    const killed = stage.run(['start']);
    await killed.prints(/another such death/, PATIENCE_MS);
    await killed.end('SIGKILL');
    expect(await deaths()).toBe(1);

    const second = stage.run(['start']);
    await second.prints(/another such death/, PATIENCE_MS);
    expect(await second.ended).toBe(BLOCKED_EXIT_CODE);

    const third = await stage.daemon();
    await third.running.prints(/twice: the event is set aside/);
    await third.running.prints(/a rule threw/);
    expect(third.running.output()).toMatch(
      /"rule":"loops","event":"message.posted [^"]+","error":"Set aside/,
    );
    await say('goodbye');
    await eventually(async () => {
      const said = await texts();
      expect(said).toContain('the neighbour heard it');
      expect(said).toContain('looked at goodbye');
      expect(said).not.toContain('looked at !poison');
    });
    expect(await third.running.end('SIGTERM')).toBe(0);
  });
});

describe('a daemon that goes on', { timeout: TIMEOUT_MS }, () => {
  test('with timers and promises of a plugin that go astray, and frozen: that is no rule that blocks', async () => {
    const daemon: Daemon = await stage.daemon();
    await say('!astray');
    for (const stray of ['a timer astray', 'a promise astray', 'words astray'])
      await daemon.running.prints(new RegExp(`"level":50.*${stray}`));
    await say('hello');
    await eventually(async () => expect(await texts()).toContain('looked at hello'));
    daemon.running.child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
    daemon.running.child.kill('SIGCONT');
    await say('again');
    await eventually(async () => expect(await texts()).toContain('looked at again'));
    expect(daemon.running.output()).not.toMatch(/"level":60|blocks the event loop/);
    expect(await deaths()).toBe(0);
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });
});
