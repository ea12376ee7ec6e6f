import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, type Daemon, type Sandbox, Stage } from './processes.ts';

const BOT = `version: 1
bot: crew
as: {screenName: Crew, role: Moderator}
clients: cooperating
defaults: {mode: enforce}
lists: {slurs: {terms: [grobnik]}}
strikes: {chat: {per: member, ladder: [{at: 1, do: [{reply: "strike {{strikes}}"}]}]}}
rules:
  - {id: hello, when: {command: "!hello"}, then: [{reply: "Hello {{member.name}}"}]}
  - {id: slurs, when: message, if: {text: {list: slurs}}, then: [hide, {strike: {ladder: chat, points: 1, reason: rude}}]}
  - {id: censor, use: censorship-kill, except: {}, grants: [stream.terminate]}
  - {id: hls, use: auto-transcode, grants: [transcoding.start, transcoding.stop]}
  - {id: pip, use: pip-composition, with: {startAfter: 0s, stopAfter: 1s}, grants: [composition.start, composition.update, composition.stop]}
`;

interface Request {
  readonly operation: string;
  readonly status: number;
  readonly fault?: string;
  readonly body: { readonly streamId?: string; readonly transcoding?: { readonly originStreamId: string } };
}

let stage: Stage;
let sandbox: Sandbox;
let roomId: string;
beforeEach(async () => {
  stage = await Stage.open();
  await stage.bot('crew', BOT);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl, {
    webhooks: { port: 0, publicUrl: 'http://127.0.0.1:0/webhooks/platform' },
  });
  roomId = (await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'studio' })).room
    .roomId;
});
afterEach(() => stage.close());

const join = async (screenName: string, role = 'Participant'): Promise<string> =>
  (await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', { roomId, screenName, role }))
    .member.sessionId;
const publish = async (sessionId: string): Promise<string> =>
  (
    await sandbox.control<{ streamId: string }>('POST', 'streams', {
      roomId,
      sessionId,
      capabilities: ['hd'],
    })
  ).streamId;
const say = async (sessionId: string, message: string): Promise<void> =>
  void (await sandbox.control('POST', 'messages', { roomId, sessionId, message }));
const requests = async (operation: string): Promise<Request[]> =>
  (await sandbox.control<{ requests: Request[] }>('GET', 'requests')).requests.filter(
    (request) => request.operation === operation,
  );
const texts = async (): Promise<string[]> => {
  const { messages } = await sandbox.api<{ messages: { message: string; mimeType: string }[] }>(
    'GET',
    `/room/${encodeURIComponent(roomId)}/messages`,
  );
  return messages.filter(({ mimeType }) => mimeType === 'text/plain').map(({ message }) => message);
};
const markers = async (): Promise<number> => {
  const { messages } = await sandbox.api<{ messages: { mimeType: string }[] }>(
    'GET',
    `/room/${encodeURIComponent(roomId)}/messages`,
  );
  return messages.filter(({ mimeType }) => mimeType.includes('moderation')).length;
};
const ready = (daemon: Daemon): Promise<void> =>
  eventually(async () => expect((await fetch(`${daemon.console}/readyz`)).status).toBe(200));
const running = async (): Promise<Daemon> => {
  const daemon = await stage.daemon();
  await ready(daemon);
  return daemon;
};
/** Long enough for whatever would be done a second time: grace, polls and retries of the platform. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5_000));

describe('kill -9 and a lost answer', () => {
  test('a reply whose answer was lost is not said again, also when the daemon dies in doubt', async () => {
    const first = await running();
    const ann = await join('Ann');
    await sandbox.control('POST', 'faults', { operation: 'sendMessage', commit: true, reset: true });
    await say(ann, '!hello');
    await eventually(async () => expect(await texts()).toContain('Hello Ann'));
    await first.running.end('SIGKILL');
    await running();
    await settle();
    expect((await texts()).filter((text) => text === 'Hello Ann')).toEqual(['Hello Ann']);
  });

  test('a composition whose answer was lost is adopted, not made again, though its notification met nobody', async () => {
    const first = await running();
    const [ann, bob] = [await join('Ann'), await join('Bob')];
    await publish(ann);
    // Told when the daemon is dead, and then 3, 9 and 21 s later: the last of these is long after the restart and GRACE.
    await sandbox.control('POST', 'faults', {
      webhook: 'delay',
      what: 'started',
      delay: 1_000,
      count: 'always',
    });
    await sandbox.control('POST', 'faults', { operation: 'createComposition', commit: true, reset: true });
    const stream = await publish(bob);
    await eventually(async () => expect(await requests('createComposition')).toHaveLength(1));
    await first.running.end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 10_500));
    await running();
    await eventually(async () => {
      const { deliveries } = await sandbox.control<{ deliveries: { what: string; state: string }[] }>(
        'GET',
        'deliveries',
      );
      expect(deliveries.filter(({ what, state }) => what === 'started' && state !== 'delivered')).toEqual([]);
    }, 40_000);
    expect(await requests('createComposition')).toHaveLength(1);
    // It is really ours: it goes when it is not wanted any more.
    await sandbox.control('DELETE', 'streams', { streamId: stream });
    await eventually(
      async () => expect((await requests('deleteComposition')).map(({ status }) => status)).toEqual([200]),
      20_000,
    );
    expect(await requests('createComposition')).toHaveLength(1);
  });

  test('a transcoding and a censored stream are done once in effect', async () => {
    const first = await running();
    const [grim, mo] = [await join('Grim'), await join('Mo', 'Moderator')];
    await sandbox.control('POST', 'faults', {
      operation: 'createTranscoding',
      commit: true,
      status: 504,
      body: '<html>gateway</html>',
    });
    await sandbox.control('POST', 'faults', { operation: 'terminateStream', commit: true, reset: true });
    const stream = await publish(grim);
    await eventually(async () => expect((await requests('createTranscoding')).length).toBeGreaterThan(0));
    await say(mo, '!censor @Grim');
    await eventually(async () => expect((await requests('terminateStream')).length).toBeGreaterThan(0));
    await first.running.end('SIGKILL');
    await running();
    await settle();
    const transcodings = await requests('createTranscoding');
    // One took effect though its answer was lost; any other was refused as the same.
    expect(
      transcodings.every(
        ({ body, status, fault }) =>
          body.transcoding?.originStreamId === stream &&
          (fault !== undefined || [404, 409, 410].includes(status)),
      ),
    ).toBe(true);
    expect((await requests('terminateStream')).filter(({ status }) => status === 200)).toHaveLength(0);
    const again = await publish(grim);
    await eventually(async () =>
      expect(
        (await requests('terminateStream'))
          .filter(({ status }) => status === 200)
          .map(({ body }) => body.streamId),
      ).toEqual([again]),
    );
  });

  test('what happens while the daemon is dead is done when it is back, once', async () => {
    const first = await running();
    const [ann, grim] = [await join('Ann'), await join('Grim')];
    await say(ann, '!hello');
    await eventually(async () => expect(await texts()).toContain('Hello Ann'));
    await first.running.end('SIGKILL');

    const stream = await publish(ann);
    await say(grim, 'a grobnik, all of you');
    await running();
    await eventually(async () =>
      expect(
        (await requests('createTranscoding')).map(({ body }) => body.transcoding?.originStreamId),
      ).toEqual([stream]),
    );
    await eventually(async () => expect(await texts()).toContain('strike 1'));
    await settle();
    expect(await requests('createTranscoding')).toHaveLength(1);
    expect((await texts()).filter((text) => text.startsWith('strike'))).toEqual(['strike 1']);
    expect(await markers()).toBe(1);
    expect((await texts()).filter((text) => text === 'Hello Ann')).toEqual(['Hello Ann']);
  });

  test('killed again and again under load, nothing is lost and nothing is done twice', async () => {
    let daemon = await running();
    const people = await Promise.all(Array.from({ length: 8 }, (_, index) => join(`P${index}`)));
    const asked: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const dying = new Promise<void>((resolve) => {
        setTimeout(() => void daemon.running.end('SIGKILL').then(() => resolve()), 60 + round * 90);
      });
      for (const [index, person] of people.entries()) {
        await say(person, '!hello');
        asked.push(`Hello P${index}`);
      }
      await dying;
      daemon = await running();
    }
    await eventually(
      async () =>
        expect((await texts()).filter((text) => text.startsWith('Hello')).sort()).toEqual(asked.sort()),
      30_000,
    );
    await settle();
    expect((await texts()).filter((text) => text.startsWith('Hello')).sort()).toEqual(asked.sort());
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });
});

describe('a platform that is not well', () => {
  test('HTML, 504 and resets keep the daemon up; readyz names the source, and it recovers', async () => {
    const daemon = await running();
    const ann = await join('Ann');
    const faults = [
      { operation: '*', status: 504, body: '<html>bad gateway</html>', count: 'always' },
      { operation: '*', status: 200, body: '<html>welcome</html>', count: 'always' },
      { operation: '*', reset: true, count: 'always' },
    ];
    for (const fault of faults) {
      const { id } = await sandbox.control<{ id: string }>('POST', 'faults', fault);
      await eventually(async () => {
        const response = await fetch(`${daemon.console}/readyz`);
        expect(response.status).toBe(503);
        expect(await response.text()).toMatch(/"name":"polling","ready":false/);
      });
      expect((await fetch(`${daemon.console}/healthz`)).status).toBe(200);
      await sandbox.control('DELETE', 'faults', { id });
    }
    await say(ann, '!hello');
    await eventually(async () => expect(await texts()).toContain('Hello Ann'), 30_000);
    await ready(daemon);
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });

  test('a platform that is not there at the start is waited for', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    await sandbox.running.end('SIGKILL');
    const daemon = await stage.daemon();
    expect((await fetch(`${daemon.console}/readyz`)).status).toBe(503);
    const back = stage.run(['sandbox', '--port', String(port)]);
    await back.prints(/sandbox is ready/);
    await ready(daemon).catch(() => ready(daemon));
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });
});
