import { describe, expect, test } from 'vitest';
import { foldWords, skeleton } from '../../src/text/index.ts';

describe('two names that look alike have one skeleton', () => {
  test.each([
    ['Admin', 'Аdmin'],
    ['Admin', 'ADM1N'],
    ['Admin', 'a d m i n'],
    ['Admin', 'Admin\u200b'],
    ['Admin', 'Adrnin'],
    ['Admin', '𝐀𝐝𝐦𝐢𝐧'],
    ['Admin', 'Ádmïn'],
    ['Admin', '🅰🅳🅼🅸🅽'],
    ['Alice', 'AIice'],
    ['Wendy', 'VVendy'],
    ['paypal', 'раураl'],
    ['Bob', 'B0b'],
  ])('%s and %s', (one, other) => {
    expect(skeleton(other)).toBe(skeleton(one));
  });
  test.each([
    ['Admin', 'Adam'],
    ['Anna', 'Ana'],
    ['Bob2', 'Bob3'],
  ])('but not %s and %s', (one, other) => {
    expect(skeleton(other)).not.toBe(skeleton(one));
  });
});

test.each([
  ['Straße', 'strasse'],
  ['ÉTÉ été e\u0301te\u0301', 'ete ete ete'],
  ['İstanbul ISTANBUL ıstanbul', 'istanbul istanbul istanbul'],
  ['ﬁnd  —  ①', 'find 1'],
  ['٣ ३ ３', '3 3 3'],
  ['مَرْحَبًا', 'مرحبا'],
  ['한글'.normalize('NFD'), '한글'],
  ['ｶﾞ', 'ガ'],
  ['हिन्दी', 'हिन्दी'],
  ['', ''],
  ['...', ''],
])('the folded words of %j are %j', (text, expected) => {
  expect(foldWords(text)).toBe(expected);
});
