import { eventually, type Sandbox } from '../journeys/processes.ts';
import type { Truth } from './truth.ts';

/** A platform that repeats as documented may take half an hour: its time is moved on. */
const RETRIES_WITHIN_MS = 1_000;
const WITHIN_MS = 60_000;

/** Moves the platform's time on until each notification was taken or given up. */
export async function quiet(sandbox: Sandbox): Promise<void> {
  await eventually(async () => {
    const { deliveries } = await sandbox.control<Pick<Truth, 'deliveries'>>('GET', 'deliveries');
    const waiting = deliveries.filter(({ state }) => state === 'waiting');
    if (waiting.length === 0) return;
    const { now } = await sandbox.control<{ now: number }>('GET', 'clock');
    const next = Math.min(...waiting.map(({ nextAt }) => nextAt ?? now));
    if (next > now + RETRIES_WITHIN_MS) await sandbox.control('POST', 'clock', { advance: next - now });
    throw new Error(`${waiting.length} notifications wait, the first ${JSON.stringify(waiting[0])}`);
  }, WITHIN_MS);
}
