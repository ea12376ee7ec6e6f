import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Count, Log, PastDeaths, RuleStamp, Whereabouts } from '../engine/ports.ts';
import { ruleIdentity } from '../engine/rule-identity.ts';
import { describeError } from '../errors.ts';
import { pastDeaths, readDeaths, type Death } from './deaths.ts';
import { WatchdogMarks } from './watchdog-marks.ts';
import type { Blocked, Numbered, WatchdogTask } from './watchdog-thread.ts';

const [LEAST_TICK_MS, MOST_TICK_MS] = [20, 250];
const LOOKS_BEFORE_WARNING = 8;

/** A thread beside the event loop that names the rule which blocks it, and ends the process when it does not end. */
export interface Watchdog {
  readonly whereabouts: Whereabouts;
  readonly deaths: PastDeaths;
  /** Where the times that the event loop was blocked are counted. */
  counts(count: Count): void;
  stop(): Promise<void>;
}

export interface WatchdogParts {
  /** The data directory. */
  readonly data: string;
  readonly warnAfterMs: number;
  /** Infinity: never. */
  readonly endAfterMs: number;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** The thread's file, where it is not the one beside this file. */
  readonly threadFile?: URL;
  /** File descriptor of the log; standard output unless given. */
  readonly logTo?: number;
}

/** Starts watching, and reads what earlier lives died of. */
export function startWatchdog({
  data,
  warnAfterMs,
  endAfterMs,
  log,
  threadFile = ownThread(),
  logTo = 1,
}: WatchdogParts): Watchdog {
  const deathsFile = join(data, 'deaths.json');
  const deaths = recall(deathsFile, log);
  const marks = new WatchdogMarks();
  const tickMs = Math.min(Math.max(warnAfterMs / LOOKS_BEFORE_WARNING, LEAST_TICK_MS), MOST_TICK_MS);
  const task: WatchdogTask = {
    shared: marks.shared,
    journal: join(data, 'usher.db'),
    deathsFile,
    log: logTo,
    tickMs,
    warnAfterMs,
    endAfterMs,
  };
  const thread = new Worker(threadFile, { workerData: task });
  thread.unref();
  thread.on('error', (error) =>
    log.error({ error: describeError(error) }, 'the watchdog has died: a rule that blocks is not named'),
  );
  let count: Count = () => undefined;
  thread.on('message', ({ bot, rule }: Blocked) => count('loop.blocked', { bot, rule }));
  const beating = setInterval(() => marks.beat(), tickMs);
  beating.unref();

  const numbers = new Map<string, number>();
  const number = (stamp: RuleStamp): number => {
    const identity = ruleIdentity(stamp);
    let known = numbers.get(identity);
    if (known === undefined) {
      known = numbers.size + 1;
      numbers.set(identity, known);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage({ ...stamp, number: known } satisfies Numbered);
    }
    return known;
  };

  return {
    whereabouts: {
      number,
      handling: (seq) => marks.handling(seq),
      running: (rule) => marks.running(rule),
    },
    deaths,
    counts(to) {
      count = to;
    },
    async stop() {
      clearInterval(beating);
      await thread.terminate();
    },
  };
}

/** The deaths so far, told to people; a file that cannot be read is told and counts for nothing. */
function recall(file: string, log: WatchdogParts['log']): PastDeaths {
  let deaths: readonly Death[] = [];
  try {
    deaths = readDeaths(file);
  } catch (error) {
    log.warn(
      { file, error: describeError(error) },
      'the notes of what the daemon died of are damaged and count for nothing; remove the file',
    );
  }
  const past = pastDeaths(deaths);
  const last = deaths.at(-1);
  if (last) {
    const { bot, rule, event, at } = last;
    log.warn(
      { bot, rule, event, died: new Date(at).toISOString(), file },
      past.setAside.get(event)?.has(ruleIdentity(last))
        ? 'the daemon died of this rule at this event, twice: the event is set aside for the rule'
        : 'the daemon died of this rule at this event: another such death sets the event aside for the rule',
    );
  }
  return past;
}

/** The built thread beside this file, or its source, which only some Nodes can start. */
const ownThread = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? 'watchdog-thread.ts' : 'watchdog-thread.js', import.meta.url);
