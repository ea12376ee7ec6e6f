import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, Stage, type Daemon, type Sandbox } from './processes.ts';

const BOT = `
version: 1
bot: crew
as: {screenName: Crew, role: Moderator}
clients: cooperating
defaults: {mode: enforce}
lists: {slurs: {terms: [grobnik]}}
rules:
  - {id: slurs, when: message, if: {text: {list: slurs}}, then: [hide]}
  - {id: hls, use: auto-transcode, grants: [transcoding.start, transcoding.stop]}
`;

let stage: Stage;
let sandbox: Sandbox;
beforeEach(async () => {
  stage = await Stage.open();
  await stage.bot('crew', BOT);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl);
});
afterEach(() => stage.close());

interface Listed {
  readonly type: string;
  readonly text?: string;
  readonly own?: boolean;
}

test('what happened while the daemon was dead is caught up, and what nobody can know is a gap', async () => {
  const { room } = await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'studio' });
  const { roomId } = room;
  const join = async (screenName: string): Promise<string> =>
    (
      await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', {
        roomId,
        screenName,
        role: 'Participant',
      })
    ).member.sessionId;
  const say = (sessionId: string, message: string): Promise<unknown> =>
    sandbox.control('POST', 'messages', { roomId, sessionId, message });
  const publish = async (sessionId: string): Promise<string> =>
    (
      await sandbox.control<{ streamId: string }>('POST', 'streams', {
        roomId,
        sessionId,
        capabilities: ['hd'],
      })
    ).streamId;
  const transcoded = async (): Promise<readonly string[]> =>
    (
      await sandbox.control<{
        requests: {
          operation: string;
          status: number;
          body: { transcoding?: { originStreamId: string } };
        }[];
      }>('GET', 'requests')
    ).requests.flatMap(({ operation, status, body }) =>
      operation === 'createTranscoding' && status === 200 ? [body.transcoding?.originStreamId ?? ''] : [],
    );
  const events = async (): Promise<readonly Listed[]> => {
    const listing = stage.run(['events', '--json', '--limit', '5000']);
    expect(await listing.ended).toBe(0);
    return listing
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Listed); // one event a line
  };
  const said = async (): Promise<readonly string[]> =>
    (await events()).flatMap(({ type, text, own }) =>
      type === 'message.posted' && !own ? [text ?? ''] : [],
    );
  const live = async (): Promise<Daemon> => {
    const daemon = await stage.daemon();
    await eventually(async () => expect((await fetch(`${daemon.console}/readyz`)).status).toBe(200));
    return daemon;
  };

  const ann = await join('Ann');
  const first = await live();
  const before = await publish(ann);
  await say(ann, 'good evening');
  await eventually(async () => expect(await transcoded()).toEqual([before]));
  await eventually(async () => expect(await said()).toEqual(['good evening']));
  await first.running.end('SIGKILL');

  await sandbox.control('DELETE', 'streams', { streamId: before });
  const again = await publish(ann);
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
  for (const line of lines) await say(ann, line);
  const bob = await join('Bob');
  await say(bob, 'a grobnik, all of you');

  const second = await live();
  await eventually(async () => expect(await transcoded()).toEqual([before, again]));
  await eventually(
    async () => expect(await said()).toEqual(['good evening', ...lines, 'a grobnik, all of you']),
    30_000,
  );
  expect((await events()).filter(({ type }) => type === 'place.gap')).toEqual([]);
  await second.running.end('SIGKILL');

  await say(bob, 'never heard');
  await fetch(`${sandbox.baseUrl}/svc/room/${encodeURIComponent(roomId)}/messages`, {
    method: 'DELETE',
    headers: {
      authorization: `Basic ${Buffer.from('demo:sandbox-secret').toString('base64')}`,
      'content-length': '0',
    },
  });
  await say(bob, 'after it');
  const third = await live();
  await eventually(async () => expect(await said()).toContain('after it'), 30_000);
  expect((await events()).filter(({ type }) => type === 'place.gap')).toHaveLength(1);
  const metrics = await (await fetch(`${third.console}/metrics`)).text();
  expect(metrics).toMatch(/usher_events_total\{type="place.gap"\} 1/);
  expect(third.running.output()).toMatch(/may have been missed/);
  expect(await third.running.end('SIGTERM')).toBe(0);
});
