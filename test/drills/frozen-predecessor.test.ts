import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, Stage, type Sandbox } from '../journeys/processes.ts';
import { EGRESS, usher } from './contender.ts';
import { isClean, judge } from './judge.ts';
import { openShow } from './show.ts';
import { readTruth } from './truth.ts';

let stage: Stage;
let sandbox: Sandbox;
beforeEach(async () => {
  stage = await Stage.open();
  sandbox = await stage.sandbox();
});
afterEach(() => stage.close());

test('a daemon that only stands still cannot be replaced; one that is dead can, at once, and nothing is done twice', async () => {
  const show = await openShow(sandbox, 1, { rooms: 6, turnsPerSecond: 10, messagesPerSecond: 10 });
  const { start } = await usher(stage, sandbox);
  const ready = async () => {
    const { running, isReady } = start();
    await eventually(async () => expect(await isReady()).toBe(true), 60_000);
    return running;
  };
  const first = await ready();
  await show.censor();
  show.start();
  await eventually(
    async () => expect((await readTruth(sandbox)).requests.length).toBeGreaterThan(50),
    60_000,
  );
  first.child.kill('SIGSTOP');

  const second = start().running;
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`process ${first.child.pid} on `);

  await first.end('SIGKILL');
  const third = await ready();
  await show.stop();
  await eventually(async () => {
    const verdict = judge(await readTruth(sandbox));
    if (!isClean(verdict)) throw new Error(`not all done, or not once: ${JSON.stringify(verdict)}`);
  }, 120_000);
  // What the dead one had begun would be done again by now.
  await new Promise((resolve) => void setTimeout(resolve, EGRESS.graceMs + 1_000));
  expect(isClean(judge(await readTruth(sandbox)))).toBe(true);
  expect(await third.end('SIGTERM')).toBe(0);
}, 300_000);
