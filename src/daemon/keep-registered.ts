import { describeError } from '../errors.ts';
import type { Clock, OperatorState, Readiness } from '../engine/ports.ts';
import type { PlatformClient } from '../platform/index.ts';
import { callbackFor, sameEndpoint } from './callback.ts';
import type { Log } from './log.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** A platform that was set up anew, or told somebody else since, cannot be asked about it: it is told again. */
const RENEW_EVERY_MS = 10 * 60_000;

export interface Registration {
  /** Settles after the first try, whatever came of it. */
  readonly first: Promise<void>;
  readonly readiness: Readiness;
  /** Does it again now: a platform that was away may have forgotten whom to tell. */
  renew(): void;
  stop(): void;
}

/**
 * Registers the callback and compares what the platform stored (interface.md, endpoint 7). Until that holds it tries
 * again, and the daemon is not ready: a platform that tells somebody else tells us nothing. Then it renews it now and
 * then.
 */
export function keepRegistered(of: {
  readonly client: Pick<PlatformClient, 'registerCallback'>;
  readonly applicationId: string;
  readonly publicUrl: string;
  readonly operator: Pick<OperatorState, 'rememberCallback'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears after each try whether the platform tells us. */
  readonly onTold?: (isTold: boolean) => void;
}): Registration {
  const { client, publicUrl, operator, clock, log, onTold } = of;
  const { callback, endpoint } = callbackFor(publicUrl);
  const abort = new AbortController();
  let reason: string | undefined = 'The callback is being registered.';
  let cancel: () => void = () => {};
  let waitMs = FIRST_RETRY_MS;
  let told = false;
  let underWay = false;

  async function register(): Promise<void> {
    underWay = true;
    try {
      const answer = await client.registerCallback({ callback }, { signal: abort.signal, retry: 'never' });
      if (sameEndpoint(answer.endpoint, endpoint)) {
        await operator.rememberCallback(answer.endpoint);
        reason = undefined;
        waitMs = FIRST_RETRY_MS;
        if (!told) log.info({ endpoint }, 'the platform notifies us');
        told = true;
        onTold?.(true);
        if (!abort.signal.aborted) cancel = clock.after(RENEW_EVERY_MS, () => void register());
        return;
      }
      reason = `The platform stored the callback as "${answer.endpoint}", not as "${endpoint}": check webhooks.publicUrl.`;
    } catch (error) {
      if (abort.signal.aborted) return;
      reason = `The callback could not be registered: ${describeError(error)}`;
    } finally {
      underWay = false;
    }
    told = false;
    onTold?.(false);
    log.warn({ retryInMs: waitMs }, reason);
    cancel = clock.after(waitMs, () => void register());
    waitMs = Math.min(LONGEST_RETRY_MS, waitMs * 2);
  }

  return {
    first: register(),
    readiness: { name: 'callback', reason: () => reason },
    renew() {
      if (underWay || abort.signal.aborted) return;
      cancel();
      void register();
    },
    stop() {
      abort.abort();
      cancel();
    },
  };
}
