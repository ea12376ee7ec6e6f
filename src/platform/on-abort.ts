import { setMaxListeners } from 'node:events';

/**
 * Runs `work` once when `signal` aborts, at once if it has; the result takes the listener away. One signal may end any
 * number of calls, so node's warning about many listeners, which suspects a leak, is turned off for it.
 */
export function onAbort(signal: AbortSignal | undefined, work: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    work();
    return () => undefined;
  }
  setMaxListeners(0, signal);
  signal.addEventListener('abort', work, { once: true });
  return () => {
    signal.removeEventListener('abort', work);
  };
}
