import { signNotification } from '../../platform/index.ts';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { CallbackTarget } from '../platform-state.ts';
import type { SandboxClock } from '../clock.ts';
import type { SwitchSettings } from '../decisions.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { Ring } from '../ring.ts';
import type { Notice } from '../world/world.ts';
import type { Delivery } from './delivery.ts';
import { sendOnce } from './send-once.ts';

/** interface.md, "Events", rule 3: 3 s, then twice as long each time. */
const FIRST_BACKOFF_MS = 3_000;
const MAX_RETRIES = 9;
const TIMEOUT_MS = 10_000;
/** How long a reordered notification waits for another to overtake it. */
const REORDER_MS = 5_000;
/** Under `advance`, the real time that a receiver has to answer before the sandbox's time moves on. */
const PATIENCE_MS = 250;
const CONTENT_TYPE = 'application/json';

export interface NotifierOptions {
  readonly secret: string;
  readonly headerPrefix: string;
  readonly allowTarget: (host: string) => boolean;
  readonly logLimit: number;
  readonly observe: (delivery: Delivery) => void;
}

/** Tells the callback what happened, signed and retried as documented, and keeps a record of each delivery. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #clock: SandboxClock;
  readonly #switches: SwitchSettings;
  readonly #faults: FaultPlan;
  readonly #target: () => CallbackTarget | undefined;
  readonly #log: Ring<Delivery>;
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: 256 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: 256 }),
  };
  readonly #flying = new Set<{ readonly done: Promise<void>; readonly cancel: () => void }>();
  readonly #held: (() => void)[] = [];
  #made = 0;
  #closed = false;

  constructor(
    options: NotifierOptions,
    clock: SandboxClock,
    switches: SwitchSettings,
    faults: FaultPlan,
    target: () => CallbackTarget | undefined,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#switches = switches;
    this.#faults = faults;
    this.#target = target;
    this.#log = new Ring(options.logLimit);
    clock.settleWith(() => this.settled());
  }

  notify(notice: Notice): void {
    const fault = this.#faults.forNotification(notice.what);
    const copies = fault?.webhook === 'duplicate' ? (fault.copies ?? 2) : 1;
    const body = {
      apiVersion: 0,
      entity: 'stream',
      what: notice.what,
      data: notice.data,
      sessionId: notice.sessionId,
      timestamp: new Date(this.#clock.now()).toISOString(),
    };
    for (let copy = 0; copy < copies; copy++) {
      const delivery = this.#record(notice, body, fault?.id);
      if (delivery.state !== 'waiting') continue;
      if (fault?.webhook === 'drop') this.#conclude(delivery, 'dropped');
      else if (fault?.webhook === 'delay') this.#later(delivery, fault.delay ?? REORDER_MS);
      else if (fault?.webhook === 'reorder') this.#hold(delivery, fault.delay ?? REORDER_MS);
      else this.#attempt(delivery, undefined);
    }
    if (fault?.webhook !== 'reorder' && this.#held.length > 0) void this.#release();
  }

  /** Oldest first. */
  deliveries(): readonly Delivery[] {
    return this.#log.all();
  }

  /** No attempt is under way, or the receiver takes its time. */
  async settled(): Promise<void> {
    if (this.#flying.size === 0) return;
    let alarm: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      alarm = setTimeout(resolve, PATIENCE_MS);
    });
    const all = async (): Promise<void> => {
      while (this.#flying.size > 0) await Promise.all(Array.from(this.#flying, (one) => one.done));
    };
    await Promise.race([all(), patience]);
    clearTimeout(alarm);
  }

  /** Cancels what is under way and forgets the records. */
  reset(): void {
    for (const one of this.#flying) one.cancel();
    this.#flying.clear();
    this.#held.length = 0;
    this.#log.clear();
    this.#made = 0;
  }

  close(): void {
    this.#closed = true;
    this.reset();
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #record(notice: Notice, body: Delivery['body'], fault: string | undefined): Delivery {
    const target = this.#target();
    const routed =
      target === undefined ? 'unrouted' : this.#options.allowTarget(target.host) ? 'waiting' : 'blocked';
    const delivery: Delivery = {
      id: `delivery-${++this.#made}`,
      what: notice.what,
      streamId: notice.data.streamId,
      ...(target === undefined ? {} : { target: addressOf(target) }),
      body,
      state: routed,
      ...(fault === undefined ? {} : { fault }),
      at: this.#clock.now(),
      attempts: [],
      nextAt: null,
    };
    this.#log.push(delivery);
    if (routed !== 'waiting') this.#options.observe(delivery);
    return delivery;
  }

  #later(delivery: Delivery, ms: number): void {
    delivery.nextAt = this.#clock.now() + ms;
    this.#clock.after(ms, () => this.#attempt(delivery, undefined));
  }

  #hold(delivery: Delivery, longestMs: number): void {
    let gone = false;
    const go = (): void => {
      if (gone) return;
      gone = true;
      this.#attempt(delivery, undefined);
    };
    this.#held.push(go);
    this.#clock.after(longestMs, go);
  }

  /** After the attempt of the one that overtakes is over: on two connections any order could come out. */
  async #release(): Promise<void> {
    const held = this.#held.splice(0);
    await this.settled();
    for (const go of held) go();
  }

  #attempt(delivery: Delivery, earlier: string | undefined): void {
    const target = this.#target();
    if (this.#closed || target === undefined) return;
    const at = this.#clock.now();
    delivery.nextAt = null;
    const stamp =
      earlier !== undefined && this.#switches['notification-resigned'] === 'once'
        ? earlier
        : String(this.#switches['notification-time-unit'] === 'seconds' ? Math.floor(at / 1000) : at);
    const empty = target.method === 'GET' && this.#switches['notification-get-body'] === 'empty';
    const parts = {
      method: target.method,
      target: target.path + (target.query === '' ? '' : `?${target.query}`),
      body: empty ? '' : JSON.stringify(delivery.body),
    };
    const headers = signNotification({
      ...parts,
      secret: this.#options.secret,
      headerPrefix: this.#options.headerPrefix,
      contentType: CONTENT_TYPE,
      timestamp: stamp,
    });
    const { result, cancel } = sendOnce(
      { url: target, ...parts, headers },
      this.#clock,
      TIMEOUT_MS,
      this.#agents,
    );
    const land = async (): Promise<void> => {
      const outcome = await result;
      if (!this.#flying.delete(flight)) return;
      delivery.attempts.push({ at, endedAt: this.#clock.now(), ...outcome });
      this.#judge(delivery, 'status' in outcome ? outcome.status : undefined, stamp);
    };
    const flight = { cancel, done: land() };
    this.#flying.add(flight);
  }

  #judge(delivery: Delivery, status: number | undefined, stamp: string): void {
    if (status !== undefined && status < 500) {
      this.#conclude(delivery, status >= 200 && status < 300 ? 'delivered' : 'refused');
      return;
    }
    const retry = delivery.attempts.length - 1;
    if (retry >= MAX_RETRIES) {
      this.#conclude(delivery, 'given-up');
      return;
    }
    const wait = FIRST_BACKOFF_MS * 2 ** retry;
    delivery.nextAt = this.#clock.now() + wait;
    this.#clock.after(wait, () => this.#attempt(delivery, stamp));
    this.#options.observe(delivery);
  }

  #conclude(delivery: Delivery, state: Delivery['state']): void {
    delivery.state = state;
    this.#options.observe(delivery);
  }
}

const addressOf = ({ method, protocol, host, port, path, query }: CallbackTarget): string =>
  `${method} ${protocol}://${host}:${port}${path}${query === '' ? '' : `?${query}`}`;
