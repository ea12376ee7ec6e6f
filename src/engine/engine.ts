import type { Bot } from '../plugin/bot.ts';
import type { Bus } from './bus.ts';
import type { InboxLimits } from './inbox.ts';
import type { RememberedBy } from './largest-memories.ts';
import type {
  Ban,
  Clock,
  Count,
  Intake,
  IntentSink,
  Journal,
  Journaled,
  Lanes,
  Log,
  PastDeaths,
  PlaceDirectory,
  Whereabouts,
} from './ports.ts';

/** What the daemon gives an engine. */
export interface EngineOptions {
  readonly journal: Journal;
  readonly lanes: Lanes;
  readonly sink: IntentSink;
  readonly clock: Clock;
  readonly bots: readonly Bot[];
  readonly log: Log;
  readonly count?: Count;
  /** The operator's bans, read at each message and publish. */
  readonly bans?: () => readonly Ban[];
  /** What is found to have happened longer ago than this, while the daemon was away, is not punished. */
  readonly catchUpMs?: number;
  /** What happened before, ms since 1970, may have been answered by a life that the store has forgotten. */
  readonly quietBefore?: number | undefined;
  /** What may wait for the lanes before `accept` refuses more. */
  readonly inbox?: Partial<InboxLimits>;
  readonly whereabouts?: Whereabouts;
  readonly deaths?: PastDeaths;
}

/** Numbers for metrics and the summary of a run. */
export interface EngineStats {
  /** Events that no lane has handled yet. */
  readonly undone: number;
  readonly lanes: number;
  readonly places: number;
  /** `<bot>/<rule>`. */
  readonly quarantined: readonly string[];
}

/** Journal in, decisions out. */
export interface Engine extends Intake {
  readonly bus: Bus;
  readonly directory: PlaceDirectory;
  /** Loads what is stored, takes up what was left undone, and opens the intake: `accept` waits for it. */
  start(): Promise<void>;
  /** Events that another part journaled, such as outcomes that the outbox settled. */
  deliver(rows: readonly Journaled[]): void;
  /** Other bots from the next event on; rules with equal fingerprints keep their state. */
  use(bots: readonly Bot[]): void;
  /** Resolves when nothing is undone, or after `timeoutMs`: whether it is. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Ends timers and retries; what is undone stays so in the journal. */
  stop(): Promise<void>;
  stats(): EngineStats;
  /** The rules that remember most in one place, the largest first: where to look when memory grows. */
  largestMemories(most: number): readonly RememberedBy[];
  /** How full the inbox is: from 0, when nothing waits, to 1, when nothing more is taken. */
  readonly load: number;
}
