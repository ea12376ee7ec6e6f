import { afterEach } from 'vitest';
import { createRequestBudget } from '../../src/egress/budget.ts';
import { createPoller } from '../../src/ingress/poller.ts';
import type { PollerSettings } from '../../src/ingress/poller-settings.ts';
import { fakePlatform } from './fake-platform.ts';
import { foldedDirectory } from './folded-directory.ts';
import { seededRandom } from './random.ts';
import { recordingCount, recordingIntake, recordingLog } from './recorders.ts';
import { virtualClock } from './virtual-clock.ts';

export const SETTINGS: PollerSettings = {
  rooms: { everyMs: 15_000 },
  channels: { everyMs: 15_000 },
  members: { minMs: 2_000, maxMs: 30_000 },
  messages: { minMs: 1_000, maxMs: 15_000 },
};

/** A poller with everything around it in memory, under a clock of its own. */
export function pollingSetup(
  over: {
    readonly settings?: Partial<PollerSettings>;
    readonly perSecond?: number;
    readonly load?: () => number;
  } = {},
) {
  const clock = virtualClock();
  const platform = fakePlatform(clock);
  const directory = foldedDirectory();
  const intake = recordingIntake((event) => directory.fold(event));
  const [log, counted] = [recordingLog(), recordingCount()];
  const startPoller = () => {
    const poller = createPoller({
      client: platform.client,
      intake,
      directory,
      budget: createRequestBudget({ clock, maxPerSecond: over.perSecond ?? 20 }),
      clock,
      settings: { ...SETTINGS, ...over.settings },
      log,
      count: counted.count,
      load: over.load,
      random: seededRandom(1),
    });
    running.push(poller);
    poller.start();
    return poller;
  };
  return { clock, platform, directory, intake, log, counted, startPoller };
}

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((poller) => poller.stop()));
});
