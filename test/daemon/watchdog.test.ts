import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDeaths } from '../../src/daemon/deaths.ts';
import { BLOCKED_EXIT_CODE } from '../../src/daemon/end-process.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { RoomOpened } from '../../src/domain/event.ts';
import { openStore } from '../../src/store/open-store.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Inside of the project, so that the bundles find its packages. */
const programs = join(root, '.usher-cache', `watchdog-${process.pid}`);
const data = mkdtempSync(join(tmpdir(), 'usher-watchdog-'));

const event = withId<RoomOpened>({
  type: 'room.opened',
  at: 1,
  seenAt: 1,
  source: 'poll',
  place: { kind: 'room', id: 'r1' },
  facts: { kind: 'room', id: 'r1', alias: 'studio', name: 'Studio' },
});

beforeAll(async () => {
  await build({
    entryPoints: {
      blocking: fileURLToPath(new URL('./blocking.ts', import.meta.url)),
      'watchdog-thread': join(root, 'src/daemon/watchdog-thread.ts'),
    },
    outdir: programs,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const clock = { now: () => 1, monotonic: () => 1, after: () => () => undefined };
  const store = await openStore({ path: join(data, 'usher.db'), clock, thread: 'same' });
  await store.journal.append([{ lane: 'room:r1', event }]);
  await store.close();
});
afterAll(() => {
  rmSync(programs, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
});

interface Line {
  readonly level: number | string;
  readonly msg: string;
  readonly rule?: string;
}

/** Runs the blocked program until it ends, or until its output holds `until`. */
async function blocked(
  how: string,
  endAfterMs = 2_000,
  until?: string,
): Promise<{ readonly code: number | null; readonly lines: readonly Line[]; readonly text: string }> {
  const child = spawn(process.execPath, [join(programs, 'blocking.mjs'), data, how, String(endAfterMs)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    if (until !== undefined && text.includes(until)) child.kill('SIGKILL');
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line); // the log's own form
  return { code, lines, text };
}

describe('the watchdog', () => {
  test('names the rule and the event that block the loop, notes them, and ends the process', async () => {
    const { code, lines } = await blocked('rule');
    const culprit = { bot: 'house', rule: 'loops', event: event.id, seq: 1 };
    expect(lines.find(({ rule }) => rule !== undefined)).toMatchObject({
      level: 40,
      ...culprit,
      blockedMs: expect.any(Number),
      since: expect.stringMatching(/^\d{4}-/),
      msg: expect.stringMatching(/house\/loops blocks the event loop/),
    });
    expect(lines.at(-1)).toMatchObject({ level: 60, ...culprit });
    expect(code).toBe(BLOCKED_EXIT_CODE);
    expect(readDeaths(join(data, 'deaths.json'))).toMatchObject([
      { bot: 'house', rule: 'loops', fingerprint: 'f1', event: event.id },
    ]);
  });

  test('gets at a regular expression that does not end; the next start tells that it was twice', async () => {
    const { code, lines } = await blocked('regexp');
    expect(lines[0]).toMatchObject({
      level: 'warn',
      rule: 'loops',
      msg: expect.stringMatching(/another such/),
    });
    expect(code).toBe(BLOCKED_EXIT_CODE);
    const again = await blocked('while', 60_000);
    expect(again.lines[0]?.msg).toMatch(/twice: the event is set aside/);
  });

  test('blames nobody while no rule runs, and notes no death', async () => {
    const before = readDeaths(join(data, 'deaths.json')).length;
    const { code, lines } = await blocked('nobody');
    expect(lines.at(-1)).toMatchObject({ level: 60, msg: expect.stringMatching(/by no rule/) });
    expect(lines.at(-1)).not.toHaveProperty('rule');
    expect(code).toBe(BLOCKED_EXIT_CODE);
    expect(readDeaths(join(data, 'deaths.json'))).toHaveLength(before);
  });

  test('tells that the loop turns again, and leaves the process alone', async () => {
    const { code, text } = await blocked('while', 60_000);
    expect(text).toMatch(/"msg":"the event loop turns again, after some \d/);
    expect(text).toContain('came back');
    expect(code).toBe(0);
  });

  test('that is never to end it goes on to warn', async () => {
    const { text } = await blocked('rule', Infinity, 'for 1.6 s');
    expect(text).toMatch(/for 0\.4 s[^]*for 0\.8 s[^]*for 1\.6 s/);
    expect(text).not.toContain('"level":60');
  });
});
