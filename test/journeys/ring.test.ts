import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, Stage, TOKEN, type Daemon, type Sandbox } from './processes.ts';

interface Request {
  readonly operation: string;
  readonly status: number;
  readonly body: Record<string, never> & {
    message?: { message: string; mimeType: string; tags: string[] };
    composition?: { streams: { streamId: string }[]; tags: string[] };
    transcoding?: { originStreamId: string; tags: string[] };
    streams?: { streamId: string }[];
    streamId?: string;
    reason?: string;
  };
}

const HOUSE = await readFile(fileURLToPath(new URL('../../bots/house.yaml', import.meta.url)), 'utf8');
const PRODUCER = await readFile(fileURLToPath(new URL('../../bots/producer.yaml', import.meta.url)), 'utf8');
const SLURS = fileURLToPath(new URL('../../config/lists/slurs.txt', import.meta.url));

let stage: Stage;
let sandbox: Sandbox;
beforeEach(async () => {
  stage = await Stage.open();
  await mkdir(join(stage.folder, 'config', 'lists'));
  await copyFile(SLURS, join(stage.folder, 'config', 'lists', 'slurs.txt'));
  await stage.bot('house', HOUSE);
  await stage.bot('producer', PRODUCER);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl);
});
afterEach(() => stage.close());

const requests = async (...operations: string[]): Promise<Request[]> =>
  (await sandbox.control<{ requests: Request[] }>('GET', 'requests')).requests.filter(({ operation }) =>
    operations.includes(operation),
  );

const room = async (alias: string): Promise<string> =>
  (await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias, type: 'MultiPartyChat' }))
    .room.roomId;

const member = async (roomId: string, screenName: string, role = 'Participant'): Promise<string> =>
  (await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', { roomId, screenName, role }))
    .member.sessionId;

const publish = async (roomId: string, sessionId: string): Promise<string> =>
  (
    await sandbox.control<{ streamId: string }>('POST', 'streams', {
      roomId,
      sessionId,
      capabilities: ['hd', 'streaming'],
    })
  ).streamId;

const say = async (roomId: string, sessionId: string, message: string): Promise<string> =>
  (
    await sandbox.control<{ message: { messageId: string } }>('POST', 'messages', {
      roomId,
      sessionId,
      message,
    })
  ).message.messageId;

/** Texts of the bots, and the ids that they asked to hide. */
const said = async (): Promise<string[]> =>
  (await requests('sendMessage')).flatMap(({ body }) =>
    body.message?.mimeType === 'text/plain' ? [body.message.message] : [],
  );
const hidden = async (): Promise<string[]> =>
  (await requests('sendMessage')).flatMap(({ body }) =>
    body.message?.mimeType === 'application/vnd.usher.moderation+json'
      ? (JSON.parse(body.message.message) as { hide: string[] }).hide
      : [],
  );

const ready = async (daemon: Daemon): Promise<void> => {
  await eventually(async () => {
    const response = await fetch(`${daemon.console}/readyz`);
    expect(await response.json()).toMatchObject({ ready: true });
  });
};

describe('the ring, from the wire to the deed', () => {
  test('a stream is transcoded, the second publisher makes a picture in picture, the third changes it, and it all ends', async () => {
    const roomId = await room('main-stage');
    const daemon = await stage.daemon();
    await ready(daemon);
    const people = [
      await member(roomId, 'Ann', 'Presenter'),
      await member(roomId, 'Bob'),
      await member(roomId, 'Cy'),
    ];

    const ann = await publish(roomId, people[0]!);
    await eventually(async () =>
      expect(
        (await requests('createTranscoding')).map(({ body }) => body.transcoding?.originStreamId),
      ).toEqual([ann]),
    );
    const bob = await publish(roomId, people[1]!);
    await eventually(async () =>
      expect(
        (await requests('createComposition')).map(({ body }) =>
          body.composition?.streams.map((input) => input.streamId),
        ),
      ).toEqual([[ann, bob]]),
    );
    const cy = await publish(roomId, people[2]!);
    await eventually(async () =>
      expect(
        (await requests('updateComposition')).at(-1)?.body.streams?.map((input) => input.streamId),
      ).toEqual([ann, bob, cy]),
    );
    expect((await requests('createTranscoding')).map(({ body }) => body.transcoding?.originStreamId)).toEqual(
      [ann, bob, cy],
    );

    await sandbox.control('DELETE', 'streams', { streamId: cy });
    await eventually(async () =>
      expect(
        (await requests('updateComposition')).at(-1)?.body.streams?.map((input) => input.streamId),
      ).toEqual([ann, bob]),
    );
    await sandbox.control('DELETE', 'streams', { streamId: bob });
    await eventually(async () => expect(await requests('deleteComposition')).toHaveLength(1), 20_000);
    expect(await requests('createComposition')).toHaveLength(1);
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });

  test('a slur is hidden and answered, the third strike mutes, and moderators are passed over', async () => {
    const roomId = await room('main-stage');
    const daemon = await stage.daemon();
    await ready(daemon);
    const [troll, moderator] = [await member(roomId, 'Grim'), await member(roomId, 'Mo', 'Moderator')];

    await say(roomId, moderator, 'we do not say grobnik here');
    const slurs = [await say(roomId, troll, 'you grobnik'), await say(roomId, troll, 'you g.r.o.b.n.i.k')];
    await eventually(async () => expect(await hidden()).toEqual(slurs));
    await eventually(async () =>
      expect(await said()).toEqual([
        'Grim: that word is not welcome here (strike 1)',
        'Grim: that word is not welcome here (strike 2)',
      ]),
    );
    slurs.push(await say(roomId, troll, 'GR0BNIK'));
    await eventually(async () => expect((await said()).at(-1)).toMatch(/muted for 10 minutes/));
    slurs.push(await say(roomId, troll, 'nothing wrong with this one'));
    await eventually(async () => expect(await hidden()).toEqual(slurs));
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });

  test('a censored stream is ended, and ended again when it is published again', async () => {
    const roomId = await room('main-stage');
    const daemon = await stage.daemon();
    await ready(daemon);
    const [troll, moderator] = [await member(roomId, 'Grim'), await member(roomId, 'Mo', 'Moderator')];

    const first = await publish(roomId, troll);
    await eventually(async () => expect(await requests('createTranscoding')).toHaveLength(1));
    await say(roomId, moderator, '!censor @Grim');
    await eventually(async () =>
      expect(
        (await requests('terminateStream')).map(({ body, status }) => [body.streamId, body.reason, status]),
      ).toEqual([[first, 'censored', 200]]),
    );
    const second = await publish(roomId, troll);
    await eventually(async () =>
      expect((await requests('terminateStream')).map(({ body }) => body.streamId)).toEqual([first, second]),
    );
    // Somebody who only claims to be a moderator moves nothing.
    const ann = await publish(roomId, await member(roomId, 'Ann'));
    await sandbox.control('POST', 'messages', {
      roomId,
      screenName: 'Mo',
      role: 'Moderator',
      message: '!censor @Ann',
    });
    await say(roomId, moderator, 'good evening');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await requests('terminateStream')).map(({ body }) => body.streamId)).not.toContain(ann);
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });

  test('the feed tells events and outcomes to whoever has the token, and to nobody else', async () => {
    const roomId = await room('main-stage');
    const daemon = await stage.daemon();
    await ready(daemon);
    const follow = stage.run(['events', '--follow', '--json', '--console', daemon.console]);
    const open = (token: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${daemon.console.replace('http', 'ws')}/feed`, {
          headers: { authorization: `Bearer ${token}` },
        });
        socket.once('open', () => {
          socket.close();
          resolve('open');
        });
        socket.once('error', (error) => resolve(error.message));
      });
    expect(await open('wrong')).toMatch(/401/);
    expect(await open(TOKEN)).toBe('open');
    const troll = await member(roomId, 'Grim');
    await eventually(async () => {
      await say(roomId, troll, 'what a grobnik');
      expect(follow.output()).toMatch(/"type":"message\.posted"/);
    });
    await follow.prints(/"type":"action\.settled".*"outcome":"performed"/);
    expect(follow.output()).not.toContain('sandbox-secret');
    expect(await follow.end('SIGTERM')).toBe(0);

    const journal = stage.run(['events', '--json', '--type', 'message.posted']);
    expect(await journal.ended).toBe(0);
    expect(journal.output()).toContain('what a grobnik');
    expect(await daemon.running.end('SIGTERM')).toBe(0);
  });
});
