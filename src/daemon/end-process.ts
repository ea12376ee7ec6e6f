/** The program failed inside (sysexits.h, EX_SOFTWARE): what a service manager restarts on. */
export const BLOCKED_EXIT_CODE = 70;

/** How long the main thread may take to hear that it is to end. */
const PATIENCE_MS = 5_000;

/**
 * Ends the process from a thread while its main thread is stuck in a loop, which `process.exit` of a thread cannot: the
 * inspector interrupts the loop and ends the process with `BLOCKED_EXIT_CODE`. Where nothing can interrupt it (native
 * code, a Node without an inspector) it is killed, which a service manager sees as signal 9 or status 137.
 */
export async function endProcess(): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS);
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${BLOCKED_EXIT_CODE})` });
}
