import { describe, expect, test } from 'vitest';
import { compileMatcher, patternProblem } from '../../src/text/index.ts';

const find = (source: string, text: string, flags = '', reads: 'original' | 'folded' = 'original') =>
  compileMatcher({ patterns: [{ id: 'p', source, flags, reads }] })
    .scan(text)
    .patternHits('p')
    .map((hit) => [hit.start, hit.text]);

describe('patterns', () => {
  test.each([
    [
      'p[ae]y',
      'pay pey pxy',
      '',
      [
        [0, 'pay'],
        [4, 'pey'],
      ],
    ],
    ['PAY', 'pay', 'i', [[0, 'pay']]],
    ['PAY', 'pay', '', []],
    ['^b', 'a\nb', 'm', [[2, 'b']]],
    ['^b', 'a\nb', '', []],
    ['a.b', 'a\nb', 's', [[0, 'a\nb']]],
    ['мир', '😀 мир', '', [[3, 'мир']]],
  ])('%s in %j with flags %j', (source, text, flags, expected) => {
    expect(find(source, text, flags)).toEqual(expected);
  });

  test.each([
    [
      '\\bслово\\b',
      'слово, слово словом',
      [
        [0, 'слово'],
        [7, 'слово'],
      ],
    ],
    ['\\bслово\\b', 'предслово', []],
    [
      '\\bcat|dog\\b',
      'cats hotdog dogs concat',
      [
        [0, 'cat'],
        [8, 'dog'],
      ],
    ],
    ['\\bété\\b', 'l’été étéx', [[2, 'été']]],
    [
      '\\b(?:кот|пёс)\\b',
      'кот пёс котик',
      [
        [0, 'кот'],
        [4, 'пёс'],
      ],
    ],
  ])('the boundary %s knows the letters of every script', (source, text, expected) => {
    expect(find(source, text)).toEqual(expected);
  });

  test('a folded pattern reads through disguises and answers with what was written', () => {
    expect(find('slur[0-9]+', 'a ЅＬ\u200bＵＲ42!', '', 'folded')).toEqual([[2, 'ЅＬ\u200bＵＲ42']]);
  });

  test('each pattern of a matcher answers for itself', () => {
    const matches = compileMatcher({
      patterns: [
        { id: 'a', source: 'a' },
        { id: 'f', source: 'b', reads: 'folded' },
        { id: 'c', source: 'c' },
      ],
    }).scan('ＢC c');
    expect(['a', 'f', 'c'].map((id) => matches.patternHits(id).length)).toEqual([0, 1, 1]);
  });

  test.each([
    ['(?=a)', 'linear time'],
    ['(a)\\1', 'linear time'],
    ['a{1001}', 'linear time'],
    ['(', 'linear time'],
    ['', 'empty'],
  ])('%j is refused with a reason', (source, reason) => {
    expect(patternProblem(source)).toContain(reason);
  });
  test('a flag that RE2 does not have is refused', () => {
    expect(patternProblem('a', 'g')).toContain('unknown flag "g"');
    expect(patternProblem('a', 'ims')).toBeUndefined();
  });
});
