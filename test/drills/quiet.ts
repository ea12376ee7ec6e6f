import { eventually, type Sandbox } from '../journeys/processes.ts';
import type { Truth } from './truth.ts';

/** A platform that repeats as documented may take half an hour: its time is moved on, but not for what is due soon. */
const DUE_SOON_MS = 1_000;
/** The receiver refuses what comes from further in the future; beyond that, real time has to pass. */
const MOST_AHEAD_MS = 240_000;
const WITHIN_MS = 300_000;

/** Moves the platform's time on until each notification was taken or given up. */
export async function quiet(sandbox: Sandbox): Promise<void> {
  await eventually(async () => {
    const { deliveries } = await sandbox.control<Pick<Truth, 'deliveries'>>('GET', 'deliveries');
    const waiting = deliveries.filter(({ state }) => state === 'waiting');
    if (waiting.length === 0) return;
    const { now } = await sandbox.control<{ now: number }>('GET', 'clock');
    const next = Math.min(...waiting.map(({ nextAt }) => nextAt ?? now));
    const advance = Math.min(next - now, MOST_AHEAD_MS - (now - Date.now()));
    if (advance > DUE_SOON_MS) await sandbox.control('POST', 'clock', { advance });
    throw new Error(`${waiting.length} notifications wait, the first ${JSON.stringify(waiting[0])}`);
  }, WITHIN_MS);
}
