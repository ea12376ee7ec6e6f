import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMatcher, findLinks, foldWords, skeleton } from '../../src/text/index.ts';

const terms = ['slur', 'ass', 'bigot', 'хуй', '傻逼', 'kill yourself', 'fill', 'c++'];
const matcher = compileMatcher({
  lists: {
    words: { terms, allow: ['as slur'] },
    inside: { terms, match: 'substring', fold: ['case', 'spacing'] },
    hosts: { terms: ['evil.com'], match: 'domain' },
  },
  patterns: [
    { id: 'original', source: '\\b[a-z]+\\b' },
    { id: 'folded', source: '[a-z]+', reads: 'folded' },
  ],
});
const piece = fc.oneof(
  fc.constantFrom(
    ...terms,
    'as slur',
    'evil.com',
    'https://',
    's1.ur',
    '🇸',
    '𝓼',
    '\u0336',
    '\u200b',
    ' ',
    '.',
    '$',
    'ﷺ',
    '각'.normalize('NFD'),
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const wellFormed = fc.string({ unit: 'grapheme', maxLength: 20 });
const invisible = fc.constantFrom(
  '\u200b',
  '\u200d',
  '\u2060',
  '\u00ad',
  '\u202e',
  '\ufeff',
  '\u{e0020}',
  '\ufe0f',
  '\u0001',
);

describe('for every text', () => {
  test('a hit lies in the text, holds what it says, and hits are in order', () => {
    fc.assert(
      fc.property(text, (input) => {
        const matches = matcher.scan(input);
        for (const hits of [
          matches.hits('words'),
          matches.hits('inside'),
          matches.hits('hosts'),
          matches.patternHits('original'),
          matches.patternHits('folded'),
          findLinks(input),
        ]) {
          let before = 0;
          for (const { start, end, text: written } of hits) {
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(input.length);
            expect(input.slice(start, end)).toBe(written);
            before = start;
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  test('what is found is found again in its own words', () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const hit of matcher.scan(input).hits('words')) {
          expect(
            matcher
              .scan(hit.text)
              .hits('words')
              .map(({ term }) => term),
          ).toContain(hit.term);
        }
      }),
    );
  });

  test('folding what is folded changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(text, wellFormed), (input) => {
        expect(foldWords(foldWords(input))).toBe(foldWords(input));
        expect(skeleton(skeleton(input))).toBe(skeleton(input));
      }),
      { numRuns: 1000 },
    );
  });

  test('composed and decomposed text fold alike', () => {
    fc.assert(
      fc.property(wellFormed, (input) => {
        expect(foldWords(input.normalize('NFD'))).toBe(foldWords(input.normalize('NFC')));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('no disguise hides a term', () => {
  const term = fc.constantFrom(...terms.filter((one) => one !== 'c++'));
  test('invisible characters anywhere', () => {
    fc.assert(
      fc.property(term, fc.array(fc.tuple(fc.nat(20), invisible), { maxLength: 8 }), (word, inserted) => {
        let hidden = word;
        for (const [at, char] of inserted) hidden = `${hidden.slice(0, at)}${char}${hidden.slice(at)}`;
        expect(matcher.scan(`so ${hidden}, ok`).hits('words')).toHaveLength(1);
      }),
    );
  });

  test('letters repeated, each as often as one likes', () => {
    fc.assert(
      fc.property(
        term,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 15, maxLength: 15 }),
        (word, counts) => {
          const long = Array.from(word, (letter, i) => letter.repeat(counts[i] ?? 1)).join('');
          expect(
            matcher
              .scan(`so ${long}, ok`)
              .hits('words')
              .map((hit) => hit.term),
          ).toContain(word);
        },
      ),
    );
  });

  test('punctuation between letters', () => {
    const between = fc.constantFrom('.', '-', '_', '*', ' . ', '·', '/', '🔥', '~~');
    fc.assert(
      fc.property(fc.constantFrom('slur', 'bigot', 'хуй', 'fill'), between, (word, gap) => {
        expect(matcher.scan(`so, ${Array.from(word).join(gap)} ok`).hits('words')).toHaveLength(1);
      }),
    );
  });
});
