import { expect, test } from 'vitest';
import { headerValues } from '../../src/ingress/header-values.ts';

test('names are in lower case, doubled headers are lists, and odd names are harmless', () => {
  const values = headerValues(['Host', 'x', 'X-A', '1', 'x-a', '2', 'X-A', '3', '__proto__', 'y']);
  expect(Object.entries(values)).toEqual([
    ['host', 'x'],
    ['x-a', ['1', '2', '3']],
    ['__proto__', 'y'],
  ]);
  expect(values.constructor).toBeUndefined();
});
