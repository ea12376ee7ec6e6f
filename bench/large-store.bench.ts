/**
 * A database of a million events in ten thousand rooms, with twenty thousand actions of which a thousand are open: how
 * soon a daemon on it is ready, and how fast what is known of all rooms is made again from the journal alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfiguration } from '../src/daemon/configuration.ts';
import { startDaemon } from '../src/daemon/daemon.ts';
import { createLog } from '../src/daemon/log.ts';
import { rebuildLanes } from '../src/daemon/rebuild-lanes.ts';
import { actionId } from '../src/domain/action-id.ts';
import type { Action } from '../src/domain/action.ts';
import { withId } from '../src/domain/event-id.ts';
import type { ActionSettled, MessagePosted, RoomOpened, UsherEvent } from '../src/domain/event.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import { idDigest } from '../src/store/id-digest.ts';
import { openKernel } from '../src/store/kernel.ts';
import { openLaneRebuild } from '../src/store/lane-rebuild.ts';
import { openDatabase } from '../src/store/sqlite-driver.ts';
import type { Row } from './row.ts';

const EVENTS = 1_000_000;
const ROOMS = 10_000;
const SETTLED = 19_000;
const OPEN = 1_000;
const STARTS = 3;

const place = (room: number) => ({ kind: 'room', id: `us-northeast#demo.room${room}` }) as const;

/** The `n`th event of a day in many rooms: each is opened, then spoken in; now and then an action is settled. */
function eventOf(n: number, from: number): UsherEvent {
  const room = n % ROOMS;
  const when = { at: from + n * 80, seenAt: from + n * 80, place: place(room) };
  if (n < ROOMS) {
    const alias = `room${room}`;
    const facts = { ...place(room), alias, name: alias, type: 'MultiPartyChat' } as const;
    return withId<RoomOpened>({ type: 'room.opened', ...when, source: 'poll', facts });
  }
  if (n >= EVENTS - SETTLED) {
    const action = reply(n, from).id;
    return withId<ActionSettled>({
      type: 'action.settled',
      ...when,
      source: 'outcome',
      causedBy: action,
      action,
      actionType: 'message.send',
      bot: 'house',
      rule: 'greet',
      outcome: 'performed',
      detail: 'sent',
      result: { messageId: `room${room}|m|${n}` },
    });
  }
  return withId<MessagePosted>({
    type: 'message.posted',
    ...when,
    source: 'poll',
    messageId: `room${room}|m|${String(n).padStart(9, '0')}`,
    author: { key: `session:s${n % 997}`, screenName: 'Ann', standing: 'anonymous', claimedRole: 'Audience' },
    text: 'x'.repeat(120),
    mimeType: 'text/plain',
    tags: [],
  });
}

function reply(n: number, from: number): Action<'message.send'> {
  const because = [`message.posted cause ${n}`];
  return {
    type: 'message.send',
    id: actionId({ bot: 'house', rule: 'greet', because, ordinal: 0 }),
    place: place(n % ROOMS),
    text: 'Hello',
    tags: [],
    bot: 'house',
    rule: 'greet',
    because,
    guarantee: 'exact',
    as: { screenName: 'House', role: 'Moderator' },
    decidedAt: from,
  };
}

/** Writes the rows as a life of the daemon would have left them, without living it. */
function fill(path: string, from: number): void {
  openKernel(path).close();
  const db = openDatabase(path);
  db.exec('PRAGMA synchronous = OFF; BEGIN;');
  const name = db.prepare('INSERT INTO names (id, name) VALUES (?, ?)');
  for (let room = 0; room < ROOMS; room += 1) name.run(room + 1, `room:${place(room).id}`);
  const types = ['room.opened', 'message.posted', 'action.settled'] as const;
  const typeIds = new Map<string, number>(types.map((type, index) => [type, ROOMS + 1 + index]));
  for (const [type, id] of typeIds) name.run(id, type);
  const event = db.prepare(
    'INSERT INTO events (seq, digest, lane, prev, type, at, seen_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (let n = 0; n < EVENTS; n += 1) {
    const one = eventOf(n, from);
    const prev = Math.max(0, n + 1 - ROOMS);
    const type = typeIds.get(one.type) ?? 0;
    event.run(n + 1, idDigest(one.id), (n % ROOMS) + 1, prev, type, one.at, one.seenAt, JSON.stringify(one));
  }
  const action = db.prepare(
    'INSERT INTO actions (id, lane, mode, attempts, marked_at, settled_at, outcome, detail, body) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)',
  );
  for (let n = EVENTS - SETTLED - OPEN; n < EVENTS; n += 1) {
    const open = n < EVENTS - SETTLED;
    const one = reply(n, from);
    const outcome = open ? null : 'performed';
    action.run(
      one.id,
      (n % ROOMS) + 1,
      'enforce',
      from,
      open ? null : from,
      outcome,
      open ? null : 'sent',
      JSON.stringify(one),
    );
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE);');
  db.close();
}

/** From the call to the ready line, which waits for the platform's first answer; the listeners listen by then. */
async function startOn(data: string, baseUrl: string): Promise<number> {
  const configuration = parseConfiguration(
    `platform: {baseUrl: "${baseUrl}", applicationId: demo, secret: sandbox-secret}\n` +
      'webhooks: {port: 0}\nconsole: {port: 0, token: "a-token-for-the-bench-0123456789"}\n' +
      `data: ${JSON.stringify(data)}\n`,
    { file: join(data, 'usher.yaml'), shown: 'usher.yaml', environment: {} },
  );
  const started = performance.now();
  const daemon = await startDaemon({ configuration, bots: [], log: createLog({ level: 'silent' }) });
  const took = performance.now() - started;
  await daemon.stop();
  return took;
}

export async function run(): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'usher-large-'));
  const path = join(data, 'usher.db');
  const sandbox = await startSandbox({ port: 0 });
  try {
    fill(path, Date.now() - EVENTS * 80);
    const source = openLaneRebuild(path);
    const before = process.cpuUsage();
    const began = performance.now();
    const { events, lanes } = await rebuildLanes(source, { bots: [], bans: [] });
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    source.close();
    const perSecond = events / seconds;
    const starts: number[] = [];
    for (let n = 0; n < STARTS; n += 1) starts.push(await startOn(data, sandbox.baseUrl));
    const ready = Math.min(...starts) / 1000;
    const of = `${(EVENTS / 1e6).toFixed(0)} M events, ${lanes} lanes`;
    return [
      { name: `${of}: ready`, value: ready, unit: 's', target: '< 3', ok: ready < 3 },
      { name: `${of}: rebuilt`, value: perSecond, unit: '/s', target: '>= 50000', ok: perSecond >= 50_000 },
      { name: '… CPU of an event', value: (user + system) / events, unit: 'µs', target: '-', ok: true },
    ];
  } finally {
    await sandbox.close();
    rmSync(data, { recursive: true, force: true });
  }
}
