import type { Action } from '../domain/action.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Job } from './job.ts';

/** The jobs of one place in order of intent; one runs at a time. */
export interface Line {
  readonly key: string;
  readonly jobs: Job[];
  running: boolean;
}

/** Notices go by their target: a slow outside server delays no room, and no room delays it. */
export const lineKey = (action: Action, lane: LaneKey): string =>
  action.type === 'notify.send' ? `notify:${action.bot}:${action.target}` : lane;

/**
 * The next job to run: the first that is ready, in order. A job that waits (in doubt, or refused for now) holds up only
 * what is about the same thing: a hide or the end of a stream passes a message in doubt, a second message does not. The
 * price is that such deeds may happen in another order than they were decided in.
 */
export function nextJob(line: Line, mayRun: (job: Job) => boolean): Job | undefined {
  const heldUp = new Set<string>();
  for (const job of line.jobs) {
    if (job.state === 'ready' && !heldUp.has(job.deed.about) && mayRun(job)) return job;
    heldUp.add(job.deed.about);
  }
  return undefined;
}

/** Lets untried jobs of the line travel in the request of `job`, as far as there is room; they leave the line. */
export function gather(line: Line, job: Job): void {
  if (!job.deed.join || !untried(job)) return;
  for (let i = line.jobs.indexOf(job) + 1; i < line.jobs.length;) {
    const other = line.jobs[i];
    const [member, ...more] = other && untried(other) ? other.members : [];
    if (member && more.length === 0 && job.deed.join(member.action)) {
      job.members.push(member);
      line.jobs.splice(i, 1);
    } else i += 1;
  }
}

const untried = (job: Job): boolean =>
  job.state !== 'waiting' && job.attempts === 0 && !job.doubt && !job.settlement;
