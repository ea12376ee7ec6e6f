import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, Stage } from './processes.ts';

const GOOD = `version: 1
bot: greeter
as: {screenName: Greeter, role: Moderator}
rules:
  - {id: hello, when: {command: "!hello"}, then: [{reply: "Hello {{member.name}}"}], mode: enforce}
`;

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

describe('usher check', () => {
  test('prints the rules with their guarantees', async () => {
    await stage.bot('greeter', GOOD);
    await stage.configure('http://127.0.0.1:9');
    const checked = stage.run(['check']);
    expect(await checked.ended).toBe(0);
    expect(checked.output()).toMatch(
      /greeter\s+hello\s+when\s+enforce\s+exact\s+message\.posted\s+message\.send/,
    );
  });

  test('tells every finding of configuration and bots at once, with file, line and column', async () => {
    await stage.bot('bad', GOOD.replace('reply', 'replay'));
    await stage.configure('http://127.0.0.1:9', { dta: 'x' });
    const checked = stage.run(['check']);
    expect(await checked.ended).toBe(1);
    expect(checked.output()).toMatch(
      /config\/usher\.yaml:\d+:1 dta: unknown key "dta" - did you mean "data"\?/,
    );
  });

  test('checks one file without a configuration', async () => {
    await stage.bot('bad', GOOD.replace('reply', 'replay'));
    const checked = stage.run(['check', 'bots/bad.yaml']);
    expect(await checked.ended).toBe(1);
    expect(checked.output()).toMatch(
      /^bots\/bad\.yaml:5:\d+ rules\.0\.then\.0\.replay: unknown action "replay" - did you mean "reply"\?$/m,
    );
  });
});

describe('usher start', () => {
  test('with a bad configuration starts nothing, tells all findings and leaves with 78', async () => {
    await stage.bot('greeter', GOOD);
    await stage.configure('http://127.0.0.1:9', { webhooks: { port: 123_456 }, polling: { budget: 'fast' } });
    const daemon = stage.run(['start']);
    expect(await daemon.ended).toBe(78);
    expect(daemon.output()).toMatch(/webhooks\.port: /);
    expect(daemon.output()).toMatch(/polling\.budget: "fast" is no rate/);
    expect(daemon.output()).not.toContain('sandbox-secret');
  });

  test('with a bad bot leaves with 78 too', async () => {
    await stage.bot('bad', GOOD.replace('version: 1', 'version: 9'));
    await stage.configure('http://127.0.0.1:9');
    const daemon = stage.run(['start']);
    expect(await daemon.ended).toBe(78);
    expect(daemon.output()).toMatch(/bots\/bad\.yaml:1:\d+ version: /);
  });

  test('without the environment that it names, says the variable and its line', async () => {
    await stage.bot('greeter', GOOD);
    await stage.configure('http://127.0.0.1:9');
    const daemon = stage.run(['start', '--config', 'config/usher.yaml'], { USHER_SECRET: '' });
    expect(await daemon.ended).toBe(78);
    expect(daemon.output()).toMatch(/usher\.yaml:\d+:\d+ platform\.secret: is empty/);
  });

  test('plain HTTP to another machine is refused', async () => {
    await stage.bot('greeter', GOOD);
    await stage.configure('http://platform.example');
    const daemon = stage.run(['start']);
    expect(await daemon.ended).toBe(78);
    expect(daemon.output()).toMatch(/plain HTTP/);
  });

  test('a second daemon on the same data refuses to start and names the first', async () => {
    const sandbox = await stage.sandbox();
    await stage.bot('greeter', GOOD);
    await stage.configure(sandbox.baseUrl);
    const first = await stage.daemon();
    const second = stage.run(['start']);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(String(first.running.child.pid));
    expect(await first.running.end('SIGTERM')).toBe(0);
  });

  test('reloads its bots when they change; a bad file keeps what runs', async () => {
    const sandbox = await stage.sandbox();
    await stage.bot('greeter', GOOD);
    await stage.configure(sandbox.baseUrl);
    const { running } = await stage.daemon();
    await stage.bot('greeter', GOOD.replace('Hello {{member.name}}', 'Good evening'));
    await running.prints(/rules reloaded/);
    await stage.bot('greeter', GOOD.replace('reply', 'replay'));
    await running.prints(/rules not reloaded, what runs goes on.*unknown action/);
    const { room } = await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'lobby' });
    const { member } = await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
      roomId: room.roomId,
      screenName: 'Ann',
    });
    await eventually(async () => {
      await sandbox.control('POST', 'messages', {
        roomId: room.roomId,
        sessionId: member.sessionId,
        message: '!hello',
      });
      const { messages } = await sandbox.api<{ messages: { message: string }[] }>(
        'GET',
        `/room/${encodeURIComponent(room.roomId)}/messages`,
      );
      expect(messages.map(({ message }) => message)).toContain('Good evening');
    });
    expect(await running.end('SIGTERM')).toBe(0);
  });
});

describe('usher sandbox', () => {
  test('plays a show and stops on SIGTERM', async () => {
    await writeFile(
      join(stage.folder, 'show.yaml'),
      'version: 1\nrooms: [{alias: lobby}]\nmembers: {ann: {room: lobby}}\nsteps: [{say: ann, text: hello}]\n',
    );
    const sandbox = await stage.sandbox(['--scenario', 'show.yaml', '--seed', '7']);
    const { rooms } = await sandbox.api<{ rooms: { alias: string; roomId: string }[] }>('GET', '/rooms');
    expect(rooms.map(({ alias }) => alias)).toEqual(['lobby']);
    expect(await sandbox.running.end('SIGTERM')).toBe(0);
  });

  test('listens on this machine only, unless told otherwise', async () => {
    const running = stage.run(['sandbox', '--host', '0.0.0.0', '--port', '0']);
    expect(await running.ended).toBe(1);
    expect(running.output()).toMatch(/--unsafe-bind/);
  });
});

describe('usher conformance', () => {
  test('the sandbox passes all of it', async () => {
    const sandbox = await stage.sandbox();
    const suite = stage.run(['conformance', '--base-url', sandbox.baseUrl]);
    expect(await suite.ended).toBe(0);
    expect(suite.output()).toMatch(/\d+ passed, 0 failed/);
  });

  test('an address that is no platform fails it', async () => {
    const suite = stage.run(['conformance', '--base-url', 'http://127.0.0.1:9']);
    expect(await suite.ended).toBe(1);
  });
});

describe('usher demo', () => {
  test('tells the show and what the bots do about it, then says what was done', async () => {
    const running = stage.run(['demo', '--port', '0']);
    await running.prints(/usher is ready/);
    await running.prints(/Ann’s stream starts/);
    await running.prints(/→ Producer transcodes Ann’s stream to HLS hd/);
    await running.prints(/→ Producer composes a picture in picture of Ann \+ Bob/, 30_000);
    expect(await running.end('SIGINT')).toBe(0);
    expect(running.output()).toMatch(/heard: .*stream\.started/);
    expect(running.output()).toMatch(/did: .*transcoding\.start performed/);
  });
});
