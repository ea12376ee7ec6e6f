import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { STORM } from './weather.ts';
import { command } from './command.ts';
import { FAULTS } from './findings.ts';
import { simulate } from './simulate.ts';

/** How many seeds run here; thousands where there is time for them. */
const SEEDS = Number(process.env['USHER_SEEDS'] ?? 50);

test(
  `nothing is lost, doubled, misordered or wrongly punished in ${SEEDS} seeds`,
  async () => {
    const said: string[] = [];
    const code = await command(['--seeds', String(SEEDS)], (line) => said.push(line));
    expect(said.filter((line) => /fails;|^ {2}\w[\w ]*: /.test(line))).toEqual([]);
    expect(code).toBe(0);
    const figure = (name: string): number =>
      Number(said.find((line) => line.startsWith(`${name} `))?.slice(name.length));
    expect(figure('runs')).toBe(SEEDS);
    expect(FAULTS.map(figure)).toEqual(FAULTS.map(() => 0));
    // A run in which nothing goes wrong proves nothing.
    if (SEEDS < 20) return;
    expect(figure('crashes')).toBeGreaterThan(SEEDS / 2);
    expect(figure('actions')).toBeGreaterThan(10 * SEEDS);
  },
  60_000 + SEEDS * 5_000,
);

test('the same seed is the same run, line by line', async () => {
  let seed = 1;
  while ((await simulate(seed)).crashes === 0) seed += 1;
  const played = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    await simulate(seed, { trace: (line) => lines.push(line) });
    return lines;
  };
  const first = await played();
  expect(first.length).toBeGreaterThan(300);
  expect(first.filter((line) => / dies, (before|after) /.test(line))).not.toEqual([]);
  expect(await played()).toEqual(first);
});

test('the same holds on the database itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'usher-simulation-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const seed of [1, 2]) {
    const stores: Store[] = [];
    const report = await simulate(seed, {
      weather: STORM,
      openStore: async (clock) => {
        const store = await openStore({ path: join(folder, `${seed}.db`), clock, thread: 'same' });
        stores.push(store);
        return store;
      },
    });
    for (const store of stores) await store.close();
    expect(report.findings).toEqual([]);
    expect(report.crashes).toBeGreaterThan(0);
  }
}, 120_000);

test('arguments that are no numbers are answered with the usage', async () => {
  const said: string[] = [];
  expect(await command(['--seed', 'one'], (line) => said.push(line))).toBe(1);
  expect(said).toEqual([expect.stringContaining('--seeds N')]);
});
