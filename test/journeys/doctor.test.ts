import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, type Sandbox, Stage } from './processes.ts';

const BOT = `version: 1
bot: crew
as: {screenName: Crew, role: Moderator}
clients: cooperating
defaults: {mode: enforce}
rules:
  - {id: hello, when: {command: "!hello"}, then: [{reply: "Hello {{member.name}}"}]}
`;

let stage: Stage;
let sandbox: Sandbox;
let roomId: string;
let ann: string;
let database: string;
beforeEach(async () => {
  stage = await Stage.open();
  await stage.bot('crew', BOT);
  sandbox = await stage.sandbox();
  await stage.configure(sandbox.baseUrl);
  database = join(stage.folder, 'data', 'usher.db');
  ({
    room: { roomId },
  } = await sandbox.control<{ room: { roomId: string } }>('POST', 'rooms', { alias: 'studio' }));
  const body = { roomId, screenName: 'Ann', role: 'Participant' };
  const { member } = await sandbox.control<{ member: { sessionId: string } }>('POST', 'members', body);
  ann = member.sessionId;
});
afterEach(() => stage.close());

const replies = async (): Promise<number> => {
  const { messages } = await sandbox.api<{ messages: { message: string }[] }>(
    'GET',
    `/room/${encodeURIComponent(roomId)}/messages`,
  );
  return messages.filter(({ message }) => message === 'Hello Ann').length;
};
const sayHello = (): Promise<unknown> =>
  sandbox.control('POST', 'messages', { roomId, sessionId: ann, message: '!hello' });
/** Runs the daemon until there are so many replies, then stops it. */
const liveUntil = async (count: number): Promise<void> => {
  const { running } = await stage.daemon();
  await eventually(async () => expect(await replies()).toBe(count));
  expect(await running.end('SIGTERM')).toBe(0);
};
const run = async (
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const running = stage.run(args);
  const code = await running.ended;
  return { code, output: running.output() };
};

/** One reply is in the older copy, the second only in the newer file; then the older one is put back. */
async function restoreOlder(): Promise<void> {
  await sayHello();
  await liveUntil(1);
  await copyFile(database, `${database}.older`);
  await sayHello();
  await liveUntil(2);
  await rm(`${database}-wal`, { force: true });
  await rm(`${database}-shm`, { force: true });
  await copyFile(`${database}.older`, database);
}

test('an older copy put back is refused, and after the doctor nothing is said twice', async () => {
  await restoreOlder();
  const refused = await run('start');
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/usher did not start.*is an older copy.*usher doctor/),
  });
  const doctor = await run('doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.output).toMatch(/LOST {4}The journal ends at position \d+ but had come to \d+/);
  expect(doctor.output).toMatch(/mended {2}what happened before now is not answered again/);
  expect(doctor.output).toMatch(/A copy of everything as it was: .*backup-/);
  await sayHello();
  await liveUntil(3);
  expect(await replies()).toBe(3);
});

test('without the note of how far it had come, the older copy would say it again', async () => {
  await restoreOlder();
  await rm(`${database}.reached`);
  await liveUntil(3);
  expect(await replies()).toBe(3);
});

test('a database without its first page is refused, made whole by the doctor, and goes on', async () => {
  await sayHello();
  await liveUntil(1);
  const bytes = await readFile(database);
  await writeFile(database, bytes.fill(0, 0, 4096));
  expect(await run('start')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/is damaged.*usher doctor/),
  });
  const doctor = await run('doctor');
  expect(doctor.output).toMatch(/mended {2}usher\.db is made anew from what could be read: \d+ events/);
  expect(doctor).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Nothing is lost; usher can start/),
  });
  const { code, output } = await run('doctor', '--rebuild', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({
    notes: expect.arrayContaining([
      { kind: 'mended', text: expect.stringMatching(/is made again from \d+ events/) },
    ]),
  });
  await sayHello();
  await liveUntil(2);
});

test('a journal that was taken away begins anew, with a warning, and what was answered is not answered again', async () => {
  await sayHello();
  await liveUntil(1);
  for (const end of ['', '-wal', '-shm', '.reached']) await rm(database + end, { force: true });
  const { running } = await stage.daemon();
  await running.prints(/there is no journal beside operator\.json: it begins anew/);
  await sayHello();
  await eventually(async () => expect(await replies()).toBe(2));
  expect(await running.end('SIGTERM')).toBe(0);
  expect(await replies()).toBe(2);
});

test('the doctor leaves a running daemon alone', async () => {
  const { running } = await stage.daemon();
  const doctor = await run('doctor');
  expect(doctor).toMatchObject({
    code: 1,
    output: expect.stringMatching(/in use by another usher \(process \d+/),
  });
  expect(await running.end('SIGTERM')).toBe(0);
});
