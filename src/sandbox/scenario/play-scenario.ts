import { describeError } from '../../errors.ts';
import type { Sandbox } from '../sandbox.ts';
import { performStep } from './perform-step.ts';
import type { PlayedStep, RepeatStep, Scenario, Step } from './scenario.ts';
import { setStage } from './stage.ts';

export interface PlayOptions {
  /** At most so many rounds, whatever `loop` says. */
  readonly rounds?: number;
  readonly onStep?: (played: PlayedStep) => void;
}

/** A show that runs on the sandbox's clock. */
export interface Show {
  /** Resolves after the last round, or when stopped. */
  readonly done: Promise<void>;
  stop(): void;
}

/** Builds the places and the cast, then plays the steps; a place whose alias exists already is used as it is. */
export function playScenario(sandbox: Sandbox, scenario: Scenario, options: PlayOptions = {}): Show {
  const cast = setStage(sandbox, scenario);
  const halt = new AbortController();
  let finish: () => void = () => {};
  let cancel: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const wait = (ms: number): Promise<void> =>
    ms <= 0 ? Promise.resolve() : new Promise((resolve) => (cancel = sandbox.clock.after(ms, resolve)));

  const playAll = async (steps: readonly Step[], round: number, n: number): Promise<void> => {
    const started = sandbox.clock.now();
    for (const step of steps) {
      await wait(step.at === undefined ? (step.after ?? 0) : started + step.at - sandbox.clock.now());
      if (halt.signal.aborted) return;
      if (step.verb === 'repeat') await playRepeat(step, round);
      else play(step, round, n);
    }
  };
  const playRepeat = async (step: RepeatStep, round: number): Promise<void> => {
    for (let n = 1; n <= step.repeat && !halt.signal.aborted; n++) {
      const started = sandbox.clock.now();
      await playAll(step.steps, round, n);
      if (step.every !== undefined && n < step.repeat) await wait(started + step.every - sandbox.clock.now());
    }
  };
  const play = (step: Exclude<Step, RepeatStep>, round: number, n: number): void => {
    try {
      performStep(sandbox, cast, step, n);
      options.onStep?.({ step, round });
    } catch (error) {
      options.onStep?.({ step, round, error: describeError(error) });
    }
  };
  const run = async (): Promise<void> => {
    const rounds = Math.min(
      options.rounds ?? Infinity,
      scenario.loop ? (scenario.loop.times ?? Infinity) : 1,
    );
    for (let round = 1; round <= rounds && !halt.signal.aborted; round++) {
      await playAll(scenario.steps, round, 1);
      if (round < rounds) await wait(Math.max(1, scenario.loop?.after ?? 0));
    }
    finish();
  };
  void run();
  return {
    done,
    stop() {
      halt.abort();
      cancel();
      finish();
    },
  };
}
