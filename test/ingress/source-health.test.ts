import { expect, test } from 'vitest';
import { StoreError } from '../../src/errors.ts';
import { createSourceHealth } from '../../src/ingress/source-health.ts';
import { recordingIntake, recordingLog } from './recorders.ts';
import { settle, virtualClock } from './virtual-clock.ts';

function source() {
  const [intake, log, clock] = [recordingIntake(), recordingLog(), virtualClock(1_000)];
  return {
    intake,
    log,
    health: createSourceHealth({ name: 'polling', failuresInARow: 3, intake, clock, log }),
  };
}

test('failures in a row degrade a source once, the next success recovers it', async () => {
  const { intake, health } = source();
  for (let turn = 0; turn < 5; turn += 1) health.failed(`502 #${turn}`);
  expect(health.reason()).toBe('502 #4');
  health.succeeded();
  health.succeeded();
  await settle();
  expect(health.reason()).toBeUndefined();
  expect(intake.events).toMatchObject([
    { type: 'source.degraded', name: 'polling', reason: '502 #2', source: 'daemon' },
    { type: 'source.recovered', name: 'polling' },
  ]);
});

test('a success in between begins the count anew', async () => {
  const { intake, health } = source();
  for (const step of ['fail', 'fail', 'ok', 'fail', 'fail']) {
    if (step === 'ok') health.succeeded();
    else health.failed('502');
  }
  await settle();
  expect(intake.events).toEqual([]);
});

test('an event that could not be journaled is logged, and nothing is thrown', async () => {
  const { intake, health, log } = source();
  intake.fail = new StoreError('disk full');
  for (let turn = 0; turn < 3; turn += 1) health.failed('502');
  await settle();
  expect(log.lines.join()).toContain('disk full');
});
