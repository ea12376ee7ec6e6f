import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, Stage, type Running, type Sandbox } from '../journeys/processes.ts';
import { usher } from './contender.ts';
import { inspectJournal } from './inspect-journal.ts';
import { isClean, judge } from './judge.ts';
import { quiet } from './quiet.ts';
import { openShow, type Show } from './show.ts';
import { acceptedOf, readTruth, type Truth } from './truth.ts';

const SIZE = { rooms: 10, turnsPerSecond: 40, messagesPerSecond: 15 };
const LONG = 600_000;
/** Where work may still be under way when the disk turns out to be full. */
const UNDER_WAY_MS = 3_000;

let stage: Stage;
let sandbox: Sandbox;
let show: Show;
beforeEach(async () => {
  stage = await Stage.open();
  sandbox = await stage.sandbox(['--log-limit', '200000']);
  show = await openShow(sandbox, 1, SIZE);
});
afterEach(() => stage.close());

/** What the receiver answered so far. */
const answers = async (): Promise<(number | undefined)[]> => {
  const { deliveries } = await sandbox.control<Pick<Truth, 'deliveries'>>('GET', 'deliveries');
  return deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status));
};
const actions = async (): Promise<number> =>
  (await readTruth(sandbox)).requests.filter(
    ({ method, operation }) => method !== 'GET' && operation !== 'registerCallback',
  ).length;

/** Until a notification is refused with 503 and the daemon says that it is the store; then nothing is begun. */
async function isFull(console: string, running: Running): Promise<void> {
  await eventually(async () => expect(await answers()).toContain(503), 120_000);
  await eventually(async () => {
    const response = await fetch(`${console}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.text()).toMatch(/"name":"store","ready":false,"reason":"[^"]*nothing was written/);
  }, 60_000);
  expect((await fetch(`${console}/healthz`)).status).toBe(200);
  await sleep(UNDER_WAY_MS);
  const begun = await actions();
  await sleep(UNDER_WAY_MS);
  expect(await actions()).toBe(begun);
  expect(running.child.exitCode).toBeNull();
}

/** With room again, everything that got a 200 is done, once. */
async function goesOn(console: string, running: Running): Promise<void> {
  await eventually(async () => expect((await fetch(`${console}/readyz`)).status).toBe(200), 120_000);
  await quiet(sandbox);
  await eventually(async () => {
    const verdict = judge(await readTruth(sandbox));
    if (!isClean(verdict)) throw new Error(`not all done, or not once: ${JSON.stringify(verdict)}`);
  }, 180_000);
  const truth = await readTruth(sandbox);
  expect(await running.end('SIGTERM')).toBe(0);
  await inspectJournal(stage, acceptedOf(truth));
}

/** Until there is no room left. */
function fill(file: string): void {
  const chunk = Buffer.alloc(16 * 1024);
  for (;;) {
    try {
      appendFileSync(file, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}

const works = (file: string, args: readonly string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not there, or not permitted: what is asked here
  }
};

describe('a disk that is full', () => {
  test.skipIf(!works('sh', ['-c', 'ulimit -S -f 4096']))(
    'by a limit on the size of files: 503, and why; with the limit raised it goes on by itself',
    async () => {
      const { start, console } = await usher(stage, sandbox, {}, { fileSizeBlocks: 4_096 });
      const { running, isReady } = start();
      await eventually(async () => expect(await isReady()).toBe(true), 60_000);
      await show.censor();
      show.start();
      await isFull(console, running);
      await show.stop();
      if (!works('prlimit', ['--version'])) return; // Linux alone can raise the limit of a running process
      execFileSync('prlimit', ['--pid', String(running.child.pid), '--fsize=unlimited:']);
      await goesOn(console, running);
    },
    LONG,
  );

  test(
    'by a file system that another program filled: it goes on when that file is gone',
    async ({ skip }) => {
      const data = join(stage.folder, 'data');
      mkdirSync(data);
      if (!works('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', data]))
        skip('a file system cannot be mounted here: this needs Linux and its administrator');
      try {
        const { start, console } = await usher(stage, sandbox);
        const { running, isReady } = start();
        await eventually(async () => expect(await isReady()).toBe(true), 60_000);
        await show.censor();
        show.start();
        await eventually(async () => expect(await answers()).toContain(200), 60_000);
        fill(join(data, 'somebody-elses'));
        await isFull(console, running);
        await show.stop();
        rmSync(join(data, 'somebody-elses'));
        await goesOn(console, running);
      } finally {
        await stage.endAll();
        // Lazily: a file that is still open must not hide what the test found.
        execFileSync('umount', ['--lazy', data]);
      }
    },
    LONG,
  );
});
