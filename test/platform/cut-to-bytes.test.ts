import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToBytes } from '../../src/platform/index.ts';

describe('a text cut to bytes', () => {
  test.each([
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['äöü', 3, 'ä'],
    ['a😀b', 4, 'a'],
    ['a😀b', 5, 'a😀'],
    ['😀', 3, ''],
    ['x', 0, ''],
  ])('%j in %i bytes is %j', (text, max, expected) => {
    expect(cutToBytes(text, max)).toBe(expected);
  });

  test('is the longest beginning that fits and splits no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(120), (text, max) => {
        const cut = cutToBytes(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max);
        expect(cut).not.toMatch(/\p{Cs}/u);
        const [next] = text.slice(cut.length);
        expect(next === undefined || Buffer.byteLength(cut + next) > max).toBe(true);
      }),
    );
  });
});
