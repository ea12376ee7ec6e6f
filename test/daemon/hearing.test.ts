import { expect, test } from 'vitest';
import { createHearing } from '../../src/daemon/hearing.ts';
import type { WebhookReceiver } from '../../src/ingress/webhook-receiver.ts';
import { virtualClock } from '../egress/virtual-clock.ts';

const receiver: WebhookReceiver = {
  start: () => Promise.resolve({ port: 1 }),
  stop: () => Promise.resolve(),
  handle: () => {},
  readiness: { name: 'webhooks', reason: () => undefined },
};

test('it begins with the listener, and a quiet time is no break', async () => {
  const clock = virtualClock();
  const hearing = createHearing(clock);
  await clock.advance(2_000);
  await hearing.observe(receiver).start();
  await clock.advance(100_000);
  expect(hearing.sinceMs()).toBe(2_000);
});

test('a notification that was refused for now is a break; other answers are none', async () => {
  const clock = virtualClock();
  const hearing = createHearing(clock);
  const counted: string[] = [];
  const count = hearing.counting((name) => counted.push(name));
  await clock.advance(1_000);
  for (const answer of ['200', '401', '413']) count('notification.answered', { answer });
  count('outcomes', { answer: '503' });
  expect(hearing.sinceMs()).toBe(0);
  count('notification.answered', { answer: '503' });
  expect(hearing.sinceMs()).toBe(1_000);
  await clock.advance(1_000);
  count('notification.answered', { answer: '500' });
  expect(hearing.sinceMs()).toBe(2_000);
  expect(counted).toHaveLength(6);
});

test('a process that stood still was deaf until it woke, whoever asks first', async () => {
  const clock = virtualClock();
  const hearing = createHearing(clock);
  await hearing.observe(receiver).start();
  await clock.advance(1_500);
  clock.freeze(60_000);
  expect(hearing.sinceMs()).toBe(61_500);
  await clock.advance(10_000);
  expect(hearing.sinceMs()).toBe(61_500);
  clock.freeze(4_000);
  await clock.advance(10_000);
  expect(hearing.sinceMs()).toBe(61_500);
});

test('nothing ticks once the listener is closed', async () => {
  const clock = virtualClock();
  const observed = createHearing(clock).observe(receiver);
  await observed.start();
  expect(clock.waiting).toBe(1);
  await observed.stop();
  expect(clock.waiting).toBe(0);
});

test('while the platform does not know whom to tell, nothing is heard', async () => {
  const clock = virtualClock();
  const hearing = createHearing(clock);
  hearing.told(false);
  await clock.advance(20_000);
  expect(hearing.sinceMs()).toBe(20_000);
  await clock.advance(500);
  hearing.told(true);
  await clock.advance(20_000);
  expect(hearing.sinceMs()).toBe(20_500);
});
