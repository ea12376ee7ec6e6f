import { describe, expect, test } from 'vitest';
import { DEFAULT_RETRY_POLICY, type SafetyClass } from '../../src/platform/index.ts';
import { retryDelay, type RetryHistory } from '../../src/platform/retry-policy.ts';

const fresh: RetryHistory = {
  safety: 'read',
  attempts: 1,
  capacityRetries: 0,
  otherRetries: 0,
  elapsedMs: 0,
};
const delay = (failure: object, history: Partial<RetryHistory> = {}, random = 1): number | undefined =>
  retryDelay(
    { retryable: true, outcome: 'unknown', httpStatus: 500, ...failure },
    { ...fresh, ...history },
    DEFAULT_RETRY_POLICY,
    () => random,
  );

describe('the wait before a retry', () => {
  test.each([
    ['5XX, first', {}, {}, 0],
    ['no answer, first', { httpStatus: undefined }, {}, 0],
    ['5XX, second', {}, { otherRetries: 1, attempts: 2 }, 500],
    ['5XX, third', {}, { otherRetries: 2, attempts: 3 }, 1000],
    ['5XX, capped', {}, { otherRetries: 9, attempts: 4 }, 20_000],
    ['5XX, attempts used up', {}, { otherRetries: 4, attempts: 5 }, undefined],
    ['503, first', { httpStatus: 503 }, {}, 1000],
    ['503, second', { httpStatus: 503 }, { capacityRetries: 1, attempts: 2 }, undefined],
    ['503 after a 5XX', { httpStatus: 503 }, { otherRetries: 1, attempts: 2 }, 1000],
    ['5XX after a 503', {}, { capacityRetries: 1, attempts: 2 }, 0],
    ['what is not worth it', { retryable: false }, {}, undefined],
    ['no time left', {}, { elapsedMs: 60_000 }, undefined],
    ['a wait beyond the time', {}, { otherRetries: 2, attempts: 3, elapsedMs: 59_000 }, undefined],
  ])('%s', (_, failure, history, expected) => {
    expect(delay(failure, history)).toBe(expected);
  });

  test('is jittered: from nothing for back-off, from a quarter of a second for 503', () => {
    expect(delay({}, { otherRetries: 3, attempts: 3 }, 0)).toBe(0);
    expect(delay({ httpStatus: 503 }, {}, 0)).toBe(250);
  });

  test.each<[SafetyClass, boolean]>([
    ['read', true],
    ['idempotent', true],
    ['createGuarded', true],
    ['harmless', true],
    ['unsafe', false],
  ])('a %s operation in doubt is sent again: %s', (safety, again) => {
    expect(delay({ outcome: 'unknown' }, { safety }) !== undefined).toBe(again);
    expect(delay({ outcome: 'nothing' }, { safety })).toBe(0);
  });
});
