import type { Clock, Count } from '../engine/ports.ts';
import type { WebhookReceiver } from '../ingress/webhook-receiver.ts';

const TICK_MS = 1_000;
/** Longer than this between two ticks, and the process stood still: senders may have given up meanwhile. */
const STOOD_STILL_MS = 5_000;

/** Since when every notification that came was taken: what came before may be on its way again. */
export interface Hearing {
  /** On the monotonic clock. */
  sinceMs(): number;
  /** Whether the platform knows whom to tell: while it does not, it tells somebody else or nobody. */
  told(isTold: boolean): void;
  /** Passes counts on, and hears from them that a notification was refused for now. */
  counting(count: Count): Count;
  /** The receiver, observed: deaf until it listens. */
  observe(receiver: WebhookReceiver): WebhookReceiver;
}

/**
 * A refusal for now (5XX), a process that was frozen, a listener that was not open yet and a callback that is not
 * registered are times of deafness.
 */
export function createHearing(clock: Clock): Hearing {
  let sinceMs = clock.monotonic();
  let tickedAtMs = Infinity;
  let isTold = true;
  let cancel = (): void => {};
  const look = (): void => {
    if (!isTold || clock.monotonic() - tickedAtMs > STOOD_STILL_MS) sinceMs = clock.monotonic();
    if (tickedAtMs !== Infinity) tickedAtMs = clock.monotonic();
  };
  const tick = (): void => {
    look();
    cancel = clock.after(TICK_MS, tick);
  };
  return {
    sinceMs() {
      look();
      return sinceMs;
    },
    told(now) {
      look();
      isTold = now;
    },
    counting: (count) => (name, labels) => {
      if (name === 'notification.answered' && labels?.['answer']?.startsWith('5'))
        sinceMs = clock.monotonic();
      count(name, labels);
    },
    observe: (receiver) => ({
      ...receiver,
      async start() {
        const started = await receiver.start();
        sinceMs = tickedAtMs = clock.monotonic();
        tick();
        return started;
      },
      stop(graceMs) {
        cancel();
        tickedAtMs = Infinity;
        return receiver.stop(graceMs);
      },
    }),
  };
}
