import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { EventId } from '../domain/ids.ts';
import type { RuleStamp } from '../engine/ports.ts';
import { describeError } from '../errors.ts';
import { openJournalReader } from '../store/journal-reader.ts';
import { noteDeath } from './deaths.ts';
import { endProcess } from './end-process.ts';
import { Stillness, type Finding, type StillnessSettings } from './stillness.ts';
import { WatchdogMarks } from './watchdog-marks.ts';

/** What the thread is started with. */
export interface WatchdogTask extends StillnessSettings {
  readonly shared: SharedArrayBuffer;
  /** The database, to name events by their id. */
  readonly journal: string;
  readonly deathsFile: string;
  /** File descriptor of the log. */
  readonly log: number;
}

/** What the main thread tells: the rule that a number stands for. */
export interface Numbered extends RuleStamp {
  readonly number: number;
}

/** What the thread tells when the event loop turns again. */
export interface Blocked {
  readonly bot: string;
  readonly rule: string;
}

const [WARN, FATAL] = [40, 60];
const TRIES = 20;
const BETWEEN_TRIES_MS = 50;

/** Watches the event loop of the main thread for the rest of the process' life. */
function watch(port: NonNullable<typeof parentPort>, task: WatchdogTask): void {
  const marks = new WatchdogMarks(task.shared);
  const stillness = new Stillness(task);
  const rules = new Map<number, RuleStamp>();
  const eventIds = new Map<number, EventId | undefined>();
  let blamed: RuleStamp | undefined;
  let ending = false;

  port.on('message', ({ number, bot, rule, fingerprint }: Numbered) =>
    rules.set(number, { bot, rule, fingerprint }),
  );

  const eventOf = async (seq: number): Promise<EventId | undefined> => {
    if (!eventIds.has(seq)) {
      eventIds.clear();
      eventIds.set(seq, await findEvent(task.journal, seq));
    }
    return eventIds.get(seq);
  };
  const tell = async ({ kind, stillMs, call }: Finding): Promise<void> => {
    const seconds = (stillMs / 1_000).toFixed(1);
    if (kind === 'over') {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      port.postMessage({ bot: blamed?.bot ?? '', rule: blamed?.rule ?? '' } satisfies Blocked);
      blamed = undefined;
      say(task.log, WARN, { blockedMs: stillMs }, `the event loop turns again, after some ${seconds} s`);
      return;
    }
    ending ||= kind === 'end';
    const stamp = call && rules.get(call.rule);
    const event = call && stamp && (await eventOf(call.seq));
    blamed = stamp;
    const culprit = stamp && { bot: stamp.bot, rule: stamp.rule, event, seq: call?.seq };
    const data = { ...culprit, blockedMs: stillMs, since: new Date(Date.now() - stillMs).toISOString() };
    const what = stamp
      ? `the rule ${stamp.bot}/${stamp.rule} blocks the event loop for ${seconds} s: it does not come back from one event`
      : `the event loop is blocked for ${seconds} s, by no rule: something else of this process does not come back`;
    if (kind === 'blocked') {
      say(task.log, WARN, data, what);
      return;
    }
    try {
      if (stamp && event !== undefined) noteDeath(task.deathsFile, { at: Date.now(), ...stamp, event });
    } catch (error) {
      const why = { file: task.deathsFile, error: describeError(error) };
      say(task.log, WARN, why, 'what the daemon dies of could not be noted: the next start will not know');
    }
    say(task.log, FATAL, data, `${what}. The process ends, to be started again`);
    await endProcess();
  };

  setInterval(() => {
    const finding = stillness.look(marks.look());
    if (!finding || ending) return;
    tell(finding).catch((error: unknown) =>
      say(task.log, WARN, { error: describeError(error) }, 'the watchdog failed: this is a bug'),
    );
  }, task.tickMs);
}

/** The id of an event by its place in the journal; undefined when the journal cannot tell. */
async function findEvent(path: string, seq: number): Promise<EventId | undefined> {
  try {
    const journal = openJournalReader(path);
    try {
      const [row] = await journal.read({ afterSeq: seq - 1, limit: 1 });
      return row?.seq === seq ? row.event.id : undefined;
    } finally {
      journal.close();
    }
  } catch {
    // A journal that cannot be read is the store's to tell; the rule is named all the same.
    return undefined;
  }
}

/** One line in the form of the log's others, written at once: the main thread cannot. */
function say(fd: number, level: number, data: object, msg: string): void {
  const line = `${JSON.stringify({ level, time: new Date().toISOString(), ...data, msg })}\n`;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      writeSync(fd, line);
      return;
    } catch (error) {
      // A log that nobody reads loses the line, not the watchdog; a full pipe may have room again soon.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_TRIES_MS);
    }
  }
}

if (parentPort) watch(parentPort, workerData as WatchdogTask); // given by `watchdog.ts`
