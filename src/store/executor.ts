import type { Kernel } from './kernel.ts';
import type { GroupOutcome, Job } from './tables.ts';

/** Whoever runs groups of jobs against the database: this thread or another. One group at a time. */
export interface Executor {
  run(jobs: readonly Job[]): Promise<GroupOutcome>;
  close(): Promise<void>;
}

/** Runs them here: each group holds the event loop as long as the disk takes. */
export const sameThread = (kernel: Kernel): Executor => ({
  async run(jobs) {
    return kernel.run(jobs);
  },
  async close() {
    kernel.close();
  },
});
