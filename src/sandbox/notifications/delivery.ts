/** One try to hand over a notification. */
export interface DeliveryAttempt {
  /** Milliseconds since 1970 on the sandbox's clock. */
  readonly at: number;
  readonly endedAt: number;
  /** The receiver's HTTP status; absent when none came. */
  readonly status?: number;
  readonly error?: string;
}

/**
 * What became of one notification. `waiting` for its first or next attempt; `delivered` on a 2XX; `refused` on another
 * answer that is not retried; `given-up` after the last retry; `dropped` by a fault; `blocked`: its target is not allowed;
 * `unrouted`: no callback was registered.
 */
export type DeliveryState =
  | 'waiting'
  | 'delivered'
  | 'refused'
  | 'given-up'
  | 'dropped'
  | 'blocked'
  | 'unrouted';

export interface Delivery {
  readonly id: string;
  readonly what: string;
  readonly streamId: string;
  /** Method and address; absent without a callback. */
  readonly target?: string;
  /** The JSON on the wire, parsed. */
  readonly body: Readonly<Record<string, unknown>>;
  state: DeliveryState;
  /** The webhook fault that touched it. */
  readonly fault?: string;
  readonly at: number;
  readonly attempts: DeliveryAttempt[];
  /** When the next attempt is due; null when there is none. */
  nextAt: number | null;
}
