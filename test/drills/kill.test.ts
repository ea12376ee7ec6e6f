import { expect, test } from 'vitest';
import { EGRESS, naiveBot, usher } from './contender.ts';
import { runDrill, type DrillResult, type DrillSettings } from './drill.ts';
import { inspectJournal } from './inspect-journal.ts';
import { isClean, type Verdict } from './judge.ts';
import { planFaults, type Pace } from './plan-faults.ts';
import { acceptedOf } from './truth.ts';
import { columnOf, markdownOf, printTable, writeFigures } from './table.ts';

/** `npm test` has the small number, the long part of CI sets the large one. */
const FAULTS = Number(process.env['USHER_DRILLS'] ?? 30);
const SEED = Number(process.env['USHER_DRILL_SEED'] ?? 1);
const RATE = Number(process.env['USHER_DRILL_RATE'] ?? 100);
/** More faults are more drills, each with a seed of its own: retries of notifications wait ever longer. */
const FAULTS_A_DRILL = 15;
/** The control shows what it has to show soon. */
const CONTROL_SHARE = 1 / 4;

const PACE: Pace = {
  upMs: [100, 1_300],
  downMs: [0, 400],
  intoStartMs: [50, 900],
  freezeMs: [EGRESS.deadlineMs + 200, EGRESS.graceMs + 1_000],
};
/** Playlists of what is transcoded are told too: so many turns a second make the rate. */
const SIZE = { rooms: 50, turnsPerSecond: RATE * 0.24, messagesPerSecond: RATE / 4 };
/** A composition in doubt waits once more for as long as it took to come to rest after its mark: some minutes, if all goes badly. */
const PATIENCE_MS = 300_000;
const LONG = 600_000 + FAULTS * 20_000;

const drills = Math.ceil(FAULTS / FAULTS_A_DRILL);
const drillAll = async (
  settings: Pick<DrillSettings, 'prepare' | 'inspect' | 'patienceMs' | 'watchMs'>,
  faults: number,
) => {
  const results: DrillResult[] = [];
  for (let drill = 0; drill < drills; drill += 1) {
    const seed = SEED + drill;
    const count = Math.min(FAULTS_A_DRILL, faults - drill * FAULTS_A_DRILL);
    if (count > 0)
      results.push(await runDrill({ ...settings, seed, size: SIZE, faults: planFaults(seed, count, PACE) }));
  }
  return results;
};

const CLEAN = { lost: 0, doubled: 0, misordered: 0, unasked: 0 };
const faultless = (verdict: Verdict): void => {
  expect(verdict).toEqual({
    answers: expect.objectContaining(CLEAN) as unknown,
    hides: expect.objectContaining(CLEAN) as unknown,
    terminations: expect.objectContaining(CLEAN) as unknown,
    transcodings: expect.objectContaining(CLEAN) as unknown,
    compositions: expect.objectContaining(CLEAN) as unknown,
  });
};

test(
  'killed and frozen under load, usher loses nothing and does nothing twice; a naive bot does',
  // One lost or doubled deed in two runs is one too many.
  { timeout: LONG, retry: 0 },
  async () => {
    const ours = await drillAll(
      {
        prepare: usher,
        inspect: (stage, truth) => inspectJournal(stage, acceptedOf(truth)),
        patienceMs: PATIENCE_MS,
        watchMs: EGRESS.graceMs + 1_000,
      },
      FAULTS,
    );
    const naive = await drillAll(
      { prepare: naiveBot, patienceMs: 3_000, watchMs: 0 },
      Math.min(15, Math.max(5, Math.round(FAULTS * CONTROL_SHARE))),
    );
    const columns = [ours, naive].map(columnOf);
    printTable(columns);
    if (process.env['UPDATE_DOCS'])
      await writeFigures(
        new URL('../../docs/reliability.md', import.meta.url),
        markdownOf(columns, new Date()),
      );

    for (const { verdict, notifications, effectMs } of ours) {
      faultless(verdict);
      // There was something to lose: else all this shows nothing.
      for (const { expected } of Object.values(verdict)) expect(expected).toBeGreaterThan(0);
      expect(notifications).toBeGreaterThan(100);
      expect(effectMs.length).toBeGreaterThan(0);
    }
    expect(naive.every(({ verdict }) => !isClean(verdict))).toBe(true);
    const total = (what: 'lost' | 'doubled'): number =>
      naive.flatMap(({ verdict }) => Object.values(verdict)).reduce((sum, tally) => sum + tally[what], 0);
    expect(total('lost')).toBeGreaterThan(0);
    expect(total('doubled')).toBeGreaterThan(0);
  },
);
