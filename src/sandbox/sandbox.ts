import type { ClockMode, SandboxClock } from './clock.ts';
import type { SwitchSettings } from './decisions.ts';
import type { ArmedFault } from './faults/fault-plan.ts';
import type { RequestFaultRule, WebhookFaultRule } from './faults/rules.ts';
import type { RequestRecord } from './http/request-log.ts';
import type { Delivery } from './notifications/delivery.ts';
import type { PlayedStep, Scenario } from './scenario/scenario.ts';
import type { Verbs } from './verbs.ts';

export interface SandboxOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Loopback by default; anything else lets other machines in. */
  readonly host?: string;
  /** The same seed and the same requests give the same ids and chances. */
  readonly seed?: string | number;
  readonly clock?: ClockMode;
  /** Milliseconds since 1970 at which the sandbox's time begins: now for `real`, a fixed day for `virtual`. */
  readonly startAt?: number;
  readonly applicationId?: string;
  readonly secret?: string;
  readonly pathPrefix?: string;
  readonly videoPrefix?: string;
  readonly headerPrefix?: string;
  /** Ways of decisions that have more than one; see `decisions`. */
  readonly switches?: Partial<SwitchSettings>;
  /** From a stream's start to its live playlists, in ms; `never` leaves them to `makePlaylistReady`. */
  readonly playlistDelayMs?: number | 'never';
  /** Hosts beside loopback to which notifications may go; `*` for all. */
  readonly allowTargets?: readonly string[];
  /** How many of the newest requests and deliveries are kept. */
  readonly logLimit?: number;
  /** A show to play from the start, or the file that holds it. */
  readonly scenario?: Scenario | string;
  /** Told of each request and each change of a delivery, as it happens. */
  readonly observe?: (activity: SandboxActivity) => void;
}

export type SandboxActivity =
  | { readonly kind: 'request'; readonly request: RequestRecord }
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | ({ readonly kind: 'step' } & PlayedStep);

/** A running emulator: the platform at `baseUrl`, and the verbs of the people who use it. */
export interface Sandbox extends Verbs {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly secret: string;
  readonly clock: SandboxClock;
  /** Makes the next request (or notification) that the rule is aimed at go wrong; the answer is the rule's id. */
  failNext(rule: RequestFaultRule | WebhookFaultRule): string;
  clearFaults(id?: string): void;
  faults(): readonly ArmedFault[];
  /** Changes ways of decisions from now on. */
  setSwitches(chosen: Partial<SwitchSettings>): SwitchSettings;
  switches(): SwitchSettings;
  /** Moves the sandbox's time ahead and runs what falls due on the way. */
  advance(ms: number): Promise<void>;
  /** Newest last, bounded; credentials are cut out. */
  requests(): readonly RequestRecord[];
  /** Newest last, bounded. */
  deliveries(): readonly Delivery[];
  /** No notification is on its way at this moment. */
  settled(): Promise<void>;
  /** Back to the state at the start, with the same seed; the clock goes on. */
  reset(): void;
  close(): Promise<void>;
}
