import { describe, expect, test } from 'vitest';
import { tellDowntime } from '../../src/daemon/tell-downtime.ts';
import { recordingIntake, recordingLog } from '../ingress/recorders.ts';
import { virtualClock } from '../ingress/virtual-clock.ts';

const MINUTE = 60_000;

async function told(lastSeenMsAgo: number | undefined) {
  const [clock, intake, log] = [virtualClock(), recordingIntake(), recordingLog()];
  const lastSeenAt = lastSeenMsAgo === undefined ? undefined : clock.now() - lastSeenMsAgo;
  await tellDowntime({ clock, intake, log, lastSeenAt });
  return { intake, log, clock };
}

describe('a start', () => {
  test.each([
    ['the first', undefined],
    ['after a moment', 1_000],
    ['while the platform still tries', 25 * MINUTE],
    ['with a newer event than now, as after a clock that was set', -60 * MINUTE],
  ])('%s tells of nothing lost', async (_, ms) => {
    const { intake, log } = await told(ms);
    expect(intake.events).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  test('after the platform has given up tells what may be lost, and that it is over', async () => {
    const { intake, log, clock } = await told(90 * MINUTE);
    expect(intake.of('source.degraded')).toMatchObject([
      {
        name: 'webhooks',
        at: clock.now() - 90 * MINUTE,
        reason: expect.stringMatching(/for 90m.*1533 s.*lost/),
      },
    ]);
    expect(intake.of('source.recovered')).toMatchObject([{ name: 'webhooks', at: clock.now() }]);
    expect(log.lines).toEqual([expect.stringContaining('polls find what is still so')]);
  });

  test('on a disk that takes nothing says so and goes on', async () => {
    const [clock, intake, log] = [virtualClock(), recordingIntake(), recordingLog()];
    intake.fail = new Error('The disk is full.');
    await tellDowntime({ clock, intake, log, lastSeenAt: clock.now() - 90 * MINUTE });
    expect(log.lines.at(-1)).toContain('The disk is full.');
  });
});
