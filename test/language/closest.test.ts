import { describe, expect, test } from 'vitest';
import { closest } from '../../src/language/closest.ts';
import { isImpossible, withinBounds } from '../../src/language/comparison.ts';
import { didYouMean } from '../../src/language/did-you-mean.ts';

describe('the word that was meant', () => {
  const words = ['hide', 'censor', 'reply', 'member.joined'];
  test.each([
    ['censer', 'censor'],
    ['hdie', 'hide'],
    ['HIDE', 'hide'],
    ['repl', 'reply'],
    ['member.jioned', 'member.joined'],
    ['kill', undefined],
    ['', undefined],
    ['x'.repeat(10_000), undefined],
  ])('%s is %s', (word, meant) => {
    expect(closest(word, words)).toBe(meant);
  });

  test('is put into words', () => {
    expect(didYouMean('censer', words)).toBe(' - did you mean "censor"?');
    expect(didYouMean('kill', words)).toBe('');
  });
});

describe('bounds', () => {
  test.each([
    [{ over: 2 }, [3], [2]],
    [{ under: 2 }, [1], [2]],
    [{ atLeast: 2, atMost: 3 }, [2, 3], [1, 4]],
  ])('%j', (bounds, inside, outside) => {
    for (const count of inside) expect(withinBounds(count, bounds)).toBe(true);
    for (const count of outside) expect(withinBounds(count, bounds)).toBe(false);
  });

  test.each([
    [{ over: 3, under: 4 }, true],
    [{ over: 3, under: 5 }, false],
    [{ atLeast: 3, atMost: 2 }, true],
    [{ under: 0 }, true],
    [{ atMost: 0 }, false],
    [{ atLeast: 2.5, under: 3 }, true],
  ])('%j hold for no number: %s', (bounds, impossible) => {
    expect(isImpossible(bounds)).toBe(impossible);
  });
});
