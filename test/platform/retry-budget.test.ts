import { expect, test } from 'vitest';
import { createRetryBudget } from '../../src/platform/retry-budget.ts';

test('a budget gives as many retries as it has tokens, and earns them by successes, never above its size', () => {
  const budget = createRetryBudget({ capacity: 2, refund: 0.5 });
  expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false]);
  budget.earn();
  expect(budget.spend()).toBe(false);
  budget.earn();
  expect(budget.spend()).toBe(true);
  for (let success = 0; success < 100; success += 1) budget.earn();
  expect(budget.tokens).toBe(2);
});
