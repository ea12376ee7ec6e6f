import { setMaxListeners } from 'node:events';
import type { ActionRecord, IntentSink, OpenAction, Readiness } from '../engine/ports.ts';
import { ConfigurationError } from '../errors.ts';
import { createCredentialsGate } from './credentials-gate.ts';
import type { Job } from './job.ts';
import { jobOf, type Past } from './job-of.ts';
import { createLedger } from './ledger.ts';
import { gather, lineKey, nextJob, type Line } from './line.ts';
import { OUTBOX_DEFAULTS, type OutboxSettings } from './outbox-settings.ts';
import { createProtocol } from './protocol.ts';

export interface OutboxStats {
  /** Jobs without an outcome, in doubt or not. */
  readonly open: number;
  readonly running: number;
  readonly inDoubt: number;
}

export interface Outbox extends IntentSink {
  /**
   * Takes up what an earlier life of the daemon left: unmarked intents go, marked ones are in doubt. Nothing is performed
   * before, so that what was decided in this life comes behind what was decided in the last.
   */
  start(): Promise<void>;
  /** Finishes what can be finished in time, stops, and says how many intents the journal keeps for the next start. */
  drain(timeoutMs: number): Promise<{ readonly left: number }>;
  readonly readiness: Readiness;
  stats(): OutboxStats;
}

/** A call that lasts longer hangs, or waits for the budget: neither is a reason to keep another place waiting. */
const SLOT_MS = 1_000;

/**
 * Every deed leaves through here: places side by side, the actions of one place in order, each by the protocol. Throws
 * `ConfigurationError` for a grace below the deadline: a request under way would be taken for lost.
 */
export function createOutbox(settings: OutboxSettings): Outbox {
  const { actions, perform, clock, log } = settings;
  const graceMs = settings.graceMs ?? OUTBOX_DEFAULTS.graceMs;
  const deadlineMs = settings.deadlineMs ?? OUTBOX_DEFAULTS.deadlineMs;
  if (graceMs < deadlineMs)
    throw new ConfigurationError([
      `egress.grace: ${graceMs} ms is less than the deadline of ${deadlineMs} ms: a request under way would be taken for lost and sent twice.`,
    ]);
  const concurrency = settings.concurrency ?? OUTBOX_DEFAULTS.concurrency;
  const random = settings.random ?? Math.random;

  const lines = new Map<string, Line>();
  /** Lines with something to do and no slot to do it in, first come first served. */
  const hungry = new Set<Line>();
  const known = new Set<string>();
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // one for each request under way, and they are taken off again
  /** What came before the start; undefined from then on. */
  let early: ActionRecord[] | undefined = [];
  let running = 0;
  /** Lines that hold a slot: those that run, but for those whose call hangs. */
  let slots = 0;
  let atRest: (() => void) | undefined;

  const gate = createCredentialsGate({ clock, random, onKnock: () => pumpAll() });
  const ledger = createLedger({
    ...settings,
    onSettled(journaled) {
      known.delete(journaled.event.causedBy ?? '');
      settings.onSettled(journaled);
    },
  });
  const protocol = createProtocol(settings, {
    ledger,
    stopped: stop.signal,
    onCredentials(state, job, reason) {
      if (state === 'refused') {
        if (gate.reason() === undefined)
          log.error({ reason }, 'the platform refuses our credentials; actions wait until it takes them');
        gate.refused(job, reason);
      } else if (gate.taken()) {
        log.info({}, 'the platform takes our credentials again');
        pumpAll();
      }
    },
  });

  function take(record: ActionRecord, past?: Past) {
    const { action, lane, mode } = record;
    if (record.settled || known.has(action.id)) return undefined;
    if (mode !== 'enforce') {
      log.error(
        { action: action.id, rule: action.rule },
        'a shadowed action reached the outbox; not performed',
      );
      return undefined;
    }
    const key = lineKey(action, lane);
    const line = lines.get(key) ?? { key, jobs: [], running: false };
    lines.set(key, line);
    known.add(action.id);
    line.jobs.push(jobOf({ action, lane }, perform(action), { clock, graceMs, past }));
    return line;
  }

  function pump(line: Line): void {
    if (line.running || stop.signal.aborted) return;
    if (slots >= concurrency) {
      hungry.add(line);
      return;
    }
    const job = nextJob(line, (candidate) => gate.mayPass(candidate));
    if (!job) {
      if (line.jobs.length === 0) lines.delete(line.key);
      restIfDone();
      return;
    }
    gather(line, job);
    line.running = true;
    job.state = 'running';
    running += 1;
    void run(line, job);
  }

  /** Takes a slot; a call that hangs lets go of it, so that the places whose calls hang do not hold up the others. */
  function takeSlot(): () => void {
    slots += 1;
    let holds = true;
    const letGo = (): void => {
      if (!holds) return;
      holds = false;
      slots -= 1;
    };
    const cancel = clock.after(SLOT_MS, () => {
      letGo();
      feed();
    });
    return () => {
      cancel();
      letGo();
    };
  }

  function feed(): void {
    for (const other of hungry) {
      if (slots >= concurrency) break;
      hungry.delete(other);
      pump(other);
    }
  }

  async function run(line: Line, job: Job): Promise<void> {
    const letGo = takeSlot();
    const next = await protocol.step(job);
    letGo();
    line.running = false;
    running -= 1;
    const another = gate.left(job);
    switch (next.kind) {
      case 'gone':
        line.jobs.splice(line.jobs.indexOf(job), 1);
        break;
      case 'hold':
        job.state = 'ready';
        break;
      case 'wait':
        job.state = 'waiting';
        job.dueAtMs = clock.monotonic() + next.forMs;
        job.cancelWait = clock.after(next.forMs, () => {
          job.state = 'ready';
          job.cancelWait = undefined;
          pump(line);
        });
        break;
      default:
        next satisfies never;
    }
    pump(line);
    if (another) pumpAll();
    feed();
    restIfDone();
  }

  function pumpAll(): void {
    for (const line of lines.values()) pump(line);
  }

  const jobs = (): Job[] => [...lines.values()].flatMap((line) => line.jobs);

  /** Set while draining: when this has come, whatever still waits is left. */
  let drainUntilMs = Infinity;

  function restIfDone(): void {
    if (!atRest || running > 0 || hungry.size > 0) return;
    if (!stop.signal.aborted && jobs().some((job) => job.state === 'waiting' && job.dueAtMs < drainUntilMs))
      return;
    atRest();
  }

  const rested = (): Promise<void> =>
    new Promise((resolve) => {
      atRest = resolve;
      restIfDone();
    });

  return {
    async start() {
      const open: readonly OpenAction[] = await actions.open();
      const fresh = early ?? [];
      early = undefined;
      const isFresh = new Set(fresh.map(({ action }) => action.id));
      const past = open.filter(({ action }) => !isFresh.has(action.id));
      for (const record of past) take(record, record);
      for (const record of fresh) take(record);
      if (past.length > 0) {
        const inDoubt = past.filter(({ markedAt }) => markedAt !== null).length;
        log.info({ open: past.length, inDoubt }, 'actions of an earlier run are taken up again');
      }
      pumpAll();
    },
    enqueue(records) {
      if (stop.signal.aborted) return; // the intents are durable and wait for the next start
      if (early) {
        early.push(...records);
        return;
      }
      const touched = new Set<Line>();
      for (const record of records) {
        const line = take(record);
        if (line) touched.add(line);
      }
      for (const line of touched) pump(line);
    },
    async drain(timeoutMs) {
      drainUntilMs = clock.monotonic() + timeoutMs;
      const finished = rested();
      const cancel = clock.after(timeoutMs, () => atRest?.());
      await finished;
      cancel();
      hungry.clear();
      stop.abort(new Error('The outbox stops.'));
      gate.stop();
      await rested();
      for (const job of jobs()) job.cancelWait?.();
      return { left: jobs().reduce((sum, job) => sum + job.members.length, 0) };
    },
    readiness: {
      name: 'outbox',
      reason: () => {
        const refused = gate.reason();
        const trouble = ledger.trouble();
        if (refused !== undefined) return `The platform refuses our credentials: ${refused}`;
        return trouble === undefined ? undefined : `Outcomes cannot be written: ${trouble}`;
      },
    },
    stats() {
      const all = jobs();
      return { open: all.length, running, inDoubt: all.filter((job) => job.doubt !== undefined).length };
    },
  };
}
