import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, Stage, type Running, type Sandbox } from '../journeys/processes.ts';
import type { Contender } from './contender.ts';
import { isClean, judge, type Verdict } from './judge.ts';
import type { Fault } from './plan-faults.ts';
import { quiet } from './quiet.ts';
import { quantile } from './sequences.ts';
import { openShow, type ShowSize } from './show.ts';
import { readTruth, type Truth } from './truth.ts';

export interface DrillResult {
  readonly contender: Contender['name'];
  readonly faults: number;
  /** Notifications that the platform sent while the show went on, and how many a second that made. */
  readonly notifications: number;
  readonly perSecond: number;
  readonly messages: number;
  readonly verdict: Verdict;
  /** From a start to being ready and to the first thing done, ms; one for each start after a kill. */
  readonly readyMs: readonly number[];
  readonly effectMs: readonly number[];
  readonly truth: Truth;
}

export interface DrillSettings {
  readonly seed: number;
  readonly size: ShowSize;
  readonly faults: readonly Fault[];
  readonly prepare: (stage: Stage, sandbox: Sandbox) => Promise<Contender>;
  /** How long it is watched after everything is as it should be, for what would be done a second time. */
  readonly watchMs: number;
  /** How long it may take until everything is as it should be; then it is judged as it stands. */
  readonly patienceMs: number;
  /** With everything at rest and the contender stopped. */
  readonly inspect?: (stage: Stage, truth: Truth) => Promise<void>;
}

/** More than any drill makes. */
const LOG_LIMIT = 500_000;
const READY_WITHIN_MS = 60_000;
/** One contender, one platform, people who go on as if nothing were, and one fault after another. */
export async function runDrill(settings: DrillSettings): Promise<DrillResult> {
  const { seed, size, faults } = settings;
  const stage = await Stage.open();
  try {
    const sandbox = await stage.sandbox(['--seed', String(seed), '--log-limit', String(LOG_LIMIT)]);
    const show = await openShow(sandbox, seed, size);
    const contender = await settings.prepare(stage, sandbox);
    const recovery = { ready: [] as number[], startedAt: [] as number[] };

    const start = async (measured: boolean): Promise<Running> => {
      const began = Date.now();
      const { running, isReady } = contender.start();
      await eventually(async () => {
        if (running.child.exitCode !== null) throw new Error(`ended by itself:\n${running.output()}`);
        if (!(await isReady())) throw new Error(`not ready:\n${running.output()}`);
      }, READY_WITHIN_MS);
      if (measured) {
        recovery.startedAt.push(began);
        recovery.ready.push(Date.now() - began);
      }
      return running;
    };

    let life = await start(false);
    await show.censor();
    const beganAt = Date.now();
    show.start();
    for (const fault of faults) {
      await sleep(fault.afterMs);
      life = await inflict(fault, life, contender, start);
    }
    await sleep(1_000);
    await show.stop();
    const seconds = (Date.now() - beganAt) / 1_000;

    await quiet(sandbox);
    const patient = Date.now() + settings.patienceMs;
    while (!isClean(judge(await readTruth(sandbox))) && Date.now() < patient) await sleep(500);
    await sleep(settings.watchMs);
    const truth = await readTruth(sandbox);
    await life.end('SIGTERM');
    await settings.inspect?.(stage, truth);

    const sent = truth.deliveries.filter(({ at }) => at >= beganAt).length;
    const said = [...truth.messages.values()].flat().length;
    return {
      contender: contender.name,
      faults: faults.length,
      notifications: sent,
      perSecond: sent / seconds,
      messages: said,
      verdict: judge(truth),
      readyMs: recovery.ready,
      effectMs: recovery.startedAt.flatMap((at) => firstEffect(truth, at)),
      truth,
    };
  } finally {
    await stage.close();
  }
}

/** Does it, and resolves with the process that works when it is over. */
async function inflict(
  fault: Fault,
  life: Running,
  contender: Contender,
  start: (measured: boolean) => Promise<Running>,
): Promise<Running> {
  switch (fault.kind) {
    case 'kill':
      await life.end('SIGKILL');
      await sleep(fault.downMs);
      return start(true);
    case 'kill in the start': {
      await life.end('SIGKILL');
      const { running } = contender.start();
      await sleep(fault.intoStartMs);
      await running.end('SIGKILL');
      return start(true);
    }
    case 'freeze':
      life.child.kill('SIGSTOP');
      await sleep(fault.forMs);
      life.child.kill('SIGCONT');
      return life;
    case 'freeze, then kill':
      life.child.kill('SIGSTOP');
      await sleep(fault.forMs);
      await life.end('SIGKILL');
      return start(true);
    default:
      return fault satisfies never;
  }
}

/** ms from a start until the platform saw the first thing done. */
function firstEffect({ requests }: Truth, startedAt: number): number[] {
  const first = requests.find(
    ({ at, method, operation }) => at >= startedAt && method !== 'GET' && operation !== 'registerCallback',
  );
  return first === undefined ? [] : [first.at - startedAt];
}

export const percentiles = (values: readonly number[]) => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
});
