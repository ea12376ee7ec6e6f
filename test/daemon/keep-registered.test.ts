import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { keepRegistered } from '../../src/daemon/keep-registered.ts';
import { virtualClock } from '../ingress/virtual-clock.ts';

const URL = 'https://bots.example/hook';
const STORED = 'POST https://bots.example:443/hook';

function setUp(answers: (string | Error)[]) {
  const clock = virtualClock();
  const lines: string[] = [];
  const told: boolean[] = [];
  let asked = 0;
  const registration = keepRegistered({
    client: {
      async registerCallback() {
        const answer = answers[Math.min(asked, answers.length - 1)];
        asked += 1;
        if (typeof answer !== 'string') throw answer;
        return { status: 'ok', endpoint: answer };
      },
    },
    applicationId: 'demo',
    publicUrl: URL,
    operator: { rememberCallback: async () => {} },
    clock,
    log: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    onTold: (isTold) => void told.push(isTold),
  });
  return { told, registration, clock, lines, asked: () => asked };
}

describe('the registration of the callback', () => {
  test('is tried again until the platform stores it as it was meant; until then the daemon is not ready', async () => {
    const { registration, clock, asked, told } = setUp([
      new Error('down'),
      'POST https://other.example:443/',
      STORED,
    ]);
    await registration.first;
    expect(registration.readiness.reason()).toContain('down');
    await clock.advance(2_000);
    expect(registration.readiness.reason()).toContain('other.example');
    await clock.advance(4_000);
    expect(registration.readiness.reason()).toBeUndefined();
    expect(asked()).toBe(3);
    expect(told).toEqual([false, false, true]);
    registration.stop();
  });

  test('is renewed now and then, without a word: a platform that was set up anew tells nobody', async () => {
    const { registration, clock, lines, asked } = setUp([STORED]);
    await registration.first;
    await clock.advance(25 * 60_000);
    expect(asked()).toBe(3);
    expect(lines).toHaveLength(1);
    registration.stop();
    await clock.advance(60 * 60_000);
    expect(asked()).toBe(3);
  });

  test('is renewed at once when the platform was away, once at a time, and goes on as before', async () => {
    const { registration, clock, asked } = setUp([STORED]);
    registration.renew();
    await registration.first;
    expect(asked()).toBe(1);
    registration.renew();
    registration.renew();
    await clock.advance(1);
    expect(asked()).toBe(2);
    await clock.advance(10 * 60_000);
    expect(asked()).toBe(3);
    registration.stop();
    registration.renew();
    await clock.advance(60 * 60_000);
    expect(asked()).toBe(3);
  });
});
